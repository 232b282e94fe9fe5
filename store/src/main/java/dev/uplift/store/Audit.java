package dev.uplift.store;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.mapper.RowMapper;

/// The table `audit`: who did what, when, to what, from where. Only ever grows. Append together
/// with what was done: [Database#together].
public final class Audit {
  private static final RowMapper<AuditRow> ROW =
      Columns.as(row ->
          new AuditRow(
              row.number("number"),
              row.time("done_at"),
              new AuditEntry(
                  row.text("tenant"),
                  row.text("who"),
                  row.text("action"),
                  row.text("target"),
                  row.text("origin"),
                  row.text("detail"))));

  private final Database database;
  private final InstantSource clock;

  public Audit(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// What somebody did is kept, with the time.
  ///
  /// @throws NoSuchTenant if there is none for it
  public void append(AuditEntry entry) {
    database.run(handle ->
        handle
            .createUpdate(
                """
                INSERT INTO audit (tenant, done_at, who, action, target, origin, detail)
                VALUES (:tenant, :now, :who, :action, :target, :origin, :detail)\
                """)
            .bind("tenant", entry.tenant())
            .bind("now", clock.instant())
            .bind("who", entry.who())
            .bind("action", entry.action())
            .bind("target", entry.target())
            .bind("origin", entry.from())
            .bind("detail", entry.detail())
            .execute());
  }

  /// Newest first.
  ///
  /// @param target what it was done to; empty for all
  public Page<AuditRow> list(String tenant, Optional<String> target, PageRequest page) {
    Question question =
        new Question(
                target.isEmpty() ? "tenant, number DESC" : "tenant, target, number DESC",
                "SELECT * FROM audit WHERE tenant = :tenant")
            .with("tenant", tenant)
            .andIs("target", target);
    // The first page has a bound, too, or H2 reads it from another index and sorts all rows.
    long before = Cursor.of(page, 1).map(end -> end.number(0)).orElse(Long.MAX_VALUE);
    question.and("number < :before").with("before", before);
    List<AuditRow> rows = database.run(handle -> question.rows(handle, page, ROW));
    return Cursor.page(rows, page, row -> Cursor.write(Long.toString(row.number())));
  }
}
