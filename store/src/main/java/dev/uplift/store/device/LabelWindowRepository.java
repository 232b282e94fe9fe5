package dev.uplift.store.device;

import dev.uplift.store.ConcurrentModification;
import dev.uplift.store.Database;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.RowReader;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.SqlStatement;

/// The table `label_window`: maintenance windows of all devices with a value of a label. Those of a
/// device itself are in its row.
public final class LabelWindowRepository {
  private static final String KEY =
      " WHERE tenant = :tenant AND label = :label AND label_value = :value";

  private static final RowMapper<LabelWindowRow> ROW =
      RowReader.mapper(row ->
          new LabelWindowRow(
              row.text("label"),
              row.text("label_value"),
              row.text("windows"),
              row.longValue("version"),
              row.text("changed_by"),
              row.instant("changed_at")));

  private final Database database;
  private final InstantSource clock;

  public LabelWindowRepository(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// Devices with this value of the label have these windows from now on. Writes nothing if they
  /// have them already. To rely on what was there, [#find] it in the same transaction: while that
  /// lasts nobody else changes it.
  ///
  /// @throws NoSuchTenant if there is none for it
  public LabelWindowRow put(String tenant, String label, String value, String windows, String by) {
    return database.withHandle(handle -> {
      Optional<LabelWindowRow> found = find(handle, tenant, label, value, " FOR UPDATE");
      if (found.filter(row -> row.windows().equals(windows)).isPresent()) {
        return found.get();
      }
      String sql =
          found.isPresent()
              ? "UPDATE label_window SET windows = :windows, version = version + 1,"
                  + " changed_by = :by, changed_at = :now"
                  + KEY
              : "INSERT INTO label_window (tenant, label, label_value, windows, version, changed_by,"
                  + " changed_at) VALUES (:tenant, :label, :value, :windows, 1, :by, :now)"
                  + " ON CONFLICT DO NOTHING";
      int written =
          bind(handle.createUpdate(sql), tenant, label, value)
              .bind("windows", windows)
              .bind("by", by)
              .bind("now", clock.instant())
              .execute();
      if (written == 0) {
        throw new ConcurrentModification("windows of " + label + " = " + value);
      }
      return find(handle, tenant, label, value, "").orElseThrow();
    });
  }

  /// Devices with this value of the label have no windows for it any more. Returns whether they
  /// had.
  public boolean remove(String tenant, String label, String value) {
    return database.withHandle(handle ->
        bind(handle.createUpdate("DELETE FROM label_window" + KEY), tenant, label, value).execute()
            > 0);
  }

  public Optional<LabelWindowRow> find(String tenant, String label, String value) {
    return database.withHandle(handle -> find(handle, tenant, label, value, " FOR UPDATE"));
  }

  private static Optional<LabelWindowRow> find(
      Handle handle, String tenant, String label, String value, String how) {
    return bind(handle.createQuery("SELECT * FROM label_window" + KEY + how), tenant, label, value)
        .map(ROW)
        .findOne();
  }

  /// All of a tenant, by label and value. Few, however many devices there are.
  public List<LabelWindowRow> list(String tenant) {
    return database.withHandle(handle ->
        handle
            .createQuery(
                """
                SELECT * FROM label_window WHERE tenant = :tenant
                ORDER BY tenant, label, label_value\
                """)
            .bind("tenant", tenant)
            .map(ROW)
            .list());
  }

  private static <S extends SqlStatement<S>> S bind(
      S statement, String tenant, String label, String value) {
    return statement.bind("tenant", tenant).bind("label", label).bind("value", value);
  }
}
