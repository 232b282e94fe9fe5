package dev.uplift.store.audit;

import dev.uplift.store.Cursor;
import dev.uplift.store.Database;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.PagedQuery;
import dev.uplift.store.RowReader;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.mapper.RowMapper;

/// The table `audit`: who did what, when, to what, from where. Only ever grows. Append together
/// with what was done: [Database#inTransaction].
public final class AuditRepository {
  private static final RowMapper<AuditRow> ROW =
      RowReader.mapper(row ->
          new AuditRow(
              row.longValue("number"),
              row.instant("occurred_at"),
              new AuditEntry(
                  row.text("tenant"),
                  row.text("actor"),
                  row.text("action"),
                  row.text("target"),
                  row.text("origin"),
                  row.text("detail"))));

  private final Database database;
  private final InstantSource clock;

  public AuditRepository(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// What somebody did is kept, with the time.
  ///
  /// @throws NoSuchTenant if there is none for it
  public void append(AuditEntry entry) {
    database.withHandle(handle ->
        handle
            .createUpdate(
                """
                INSERT INTO audit (tenant, occurred_at, actor, action, target, origin, detail)
                VALUES (:tenant, :now, :actor, :action, :target, :origin, :detail)\
                """)
            .bind("tenant", entry.tenant())
            .bind("now", clock.instant())
            .bind("actor", entry.actor())
            .bind("action", entry.action())
            .bind("target", entry.target())
            .bind("origin", entry.origin())
            .bind("detail", entry.detail())
            .execute());
  }

  /// Newest first.
  ///
  /// @param target what it was done to; empty for all
  public Page<AuditRow> list(String tenant, Optional<String> target, PageRequest page) {
    PagedQuery pagedQuery =
        new PagedQuery(
                target.isEmpty() ? "tenant, number DESC" : "tenant, target, number DESC",
                "SELECT * FROM audit WHERE tenant = :tenant")
            .bind("tenant", tenant)
            .andEquals("target", target);
    // The first page has a bound, too, or H2 reads it from another index and sorts all rows.
    long before = Cursor.of(page, 1).map(end -> end.longValue(0)).orElse(Long.MAX_VALUE);
    pagedQuery.and("number < :before").bind("before", before);
    List<AuditRow> rows = database.withHandle(handle -> pagedQuery.fetch(handle, page, ROW));
    return Cursor.toPage(rows, page, row -> Cursor.encode(Long.toString(row.number())));
  }
}
