package dev.uplift.store.tenant;

import dev.uplift.store.ConcurrentModification;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.StoreClock;
import dev.uplift.store.StoredText;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.Optional;

/// The table `tenant_stop`: tenants in which nothing new begins.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class TenantStopRepository implements GenericRepository<TenantStopRow, String> {
  private final StoreClock clock;

  protected TenantStopRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// Stops a tenant, or gives the stop another reason; it stays since when it was.
  ///
  /// @throws NoSuchTenant if the tenant does not exist
  public TenantStopRow stop(String tenant, String reason, String by) {
    String text = StoredText.sanitize(reason);
    if (update(tenant, text, by) == 0 && insertIfAbsent(tenant, text, by, clock.now()) == 0) {
      throw new ConcurrentModification("stop of " + tenant);
    }
    return find(tenant).orElseThrow();
  }

  /// Ends the stop. Returns whether there was one.
  public boolean end(String tenant) {
    return deleteRow(tenant) > 0;
  }

  @Query("SELECT * FROM tenant_stop WHERE tenant = :tenant")
  public abstract Optional<TenantStopRow> find(String tenant);

  @Query("UPDATE tenant_stop SET reason = :reason, stopped_by = :by WHERE tenant = :tenant")
  abstract int update(String tenant, String reason, String by);

  @Query(
      """
      INSERT INTO tenant_stop (tenant, reason, stopped_by, since) VALUES (:tenant, :reason, :by, :now)
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(String tenant, String reason, String by, Instant now);

  @Query("DELETE FROM tenant_stop WHERE tenant = :tenant")
  abstract int deleteRow(String tenant);
}
