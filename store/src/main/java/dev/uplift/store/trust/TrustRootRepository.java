package dev.uplift.store.trust;

import dev.uplift.store.Database;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.RowReader;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.mapper.RowMapper;

/// The table `trust_root`. What is in it never changes, and nothing leaves it.
public final class TrustRootRepository {
  private static final RowMapper<TrustRootRow> ROW =
      RowReader.mapper(row ->
          new TrustRootRow(
              row.text("tenant"),
              row.longValue("version"),
              row.text("document"),
              row.text("signature"),
              row.instant("recorded_at")));

  private final Database database;
  private final InstantSource clock;

  public TrustRootRepository(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// The root stands in the records, unless another one has its version. Returns the one that
  /// stands there.
  ///
  /// @throws NoSuchTenant if there is none for it
  public TrustRootRow putIfAbsent(String tenant, long version, String text, String signature) {
    return database.withHandle(handle -> {
      handle
          .createUpdate(
              """
              INSERT INTO trust_root (tenant, version, document, signature, recorded_at)
              VALUES (:tenant, :version, :document, :signature, :now)
              ON CONFLICT DO NOTHING\
              """)
          .bind("tenant", tenant)
          .bind("version", version)
          .bind("document", text)
          .bind("signature", signature)
          .bind("now", clock.instant())
          .execute();
      return handle
          .createQuery("SELECT * FROM trust_root WHERE tenant = :tenant AND version = :version")
          .bind("tenant", tenant)
          .bind("version", version)
          .map(ROW)
          .one();
    });
  }

  public Optional<TrustRootRow> find(String tenant, long version) {
    return database.withHandle(handle ->
        handle
            .createQuery("SELECT * FROM trust_root WHERE tenant = :tenant AND version = :version")
            .bind("tenant", tenant)
            .bind("version", version)
            .map(ROW)
            .findOne());
  }

  /// The one that counts: of the highest version.
  public Optional<TrustRootRow> findNewest(String tenant) {
    return database.withHandle(handle ->
        handle
            .createQuery(
                """
                SELECT * FROM trust_root WHERE tenant = :tenant
                ORDER BY version DESC FETCH FIRST 1 ROW ONLY\
                """)
            .bind("tenant", tenant)
            .map(ROW)
            .findOne());
  }

  /// Of all tenants, the ones that count, by tenant.
  public List<TrustRootRow> findNewest() {
    return database.withHandle(handle ->
        handle
            .createQuery(
                """
                SELECT * FROM trust_root root WHERE version = (SELECT MAX(version)
                  FROM trust_root other WHERE other.tenant = root.tenant) ORDER BY tenant\
                """)
            .map(ROW)
            .list());
  }

  /// Of all tenants, those that were recorded from this time on.
  public List<TrustRootRow> findRecordedSince(Instant from) {
    return database.withHandle(handle ->
        handle
            .createQuery(
                """
                SELECT * FROM trust_root WHERE recorded_at >= :from
                ORDER BY recorded_at, tenant, version\
                """)
            .bind("from", from)
            .map(ROW)
            .list());
  }
}
