package dev.uplift.store.trust;

import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The table `trust_root`. Append-only; a row never changes.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class TrustRootRepository implements GenericRepository<TrustRootRow, Long> {
  private final StoreClock clock;

  protected TrustRootRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// Records the root, unless another one has its version. Returns the recorded one.
  ///
  /// @throws NoSuchTenant if the tenant does not exist
  public TrustRootRow putIfAbsent(String tenant, long version, String document, String signature) {
    insertIfAbsent(tenant, version, document, signature, clock.now());
    return find(tenant, version).orElseThrow();
  }

  @Query(
      """
      INSERT INTO trust_root (tenant, version, document, signature, recorded_at)
      VALUES (:tenant, :version, :document, :signature, :now)
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(String tenant, long version, String document, String signature, Instant now);

  public Optional<TrustRootRow> find(String tenant, long version) {
    return findByTenantAndVersion(tenant, version);
  }

  abstract Optional<TrustRootRow> findByTenantAndVersion(String tenant, long version);

  /// The one in force: of the highest version.
  @Query(
      """
      SELECT * FROM trust_root WHERE tenant = :tenant
      ORDER BY version DESC FETCH FIRST 1 ROW ONLY\
      """)
  public abstract Optional<TrustRootRow> findNewest(String tenant);

  /// The ones in force of all tenants, by tenant.
  @Query(
      """
      SELECT * FROM trust_root root WHERE version = (SELECT MAX(version)
        FROM trust_root other WHERE other.tenant = root.tenant) ORDER BY tenant\
      """)
  public abstract List<TrustRootRow> findNewest();

  /// Of all tenants, those that were recorded from this time on.
  @Query(
      """
      SELECT * FROM trust_root WHERE recorded_at >= :from
      ORDER BY recorded_at, tenant, version\
      """)
  public abstract List<TrustRootRow> findRecordedSince(Instant from);
}
