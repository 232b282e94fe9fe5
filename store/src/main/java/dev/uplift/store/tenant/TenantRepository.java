package dev.uplift.store.tenant;

import dev.uplift.store.Cursor;
import dev.uplift.store.Database;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.PagedQuery;
import dev.uplift.store.RowReader;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;

/// The table `tenant`. A tenant is never removed.
public final class TenantRepository {
  private static final RowMapper<TenantRow> ROW =
      RowReader.mapper(row -> new TenantRow(row.text("name"), row.text("title"), row.instant("created_at")));

  private final Database database;
  private final InstantSource clock;

  public TenantRepository(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// Creates the tenant, or gives it another title.
  public TenantRow put(String name, String title) {
    return database.withHandle(handle -> {
      handle
          .createUpdate(
              """
              INSERT INTO tenant (name, title, created_at) VALUES (:name, :title, :now)
              ON CONFLICT DO NOTHING\
              """)
          .bind("name", name)
          .bind("title", title)
          .bind("now", clock.instant())
          .execute();
      handle
          .createUpdate("UPDATE tenant SET title = :title WHERE name = :name")
          .bind("name", name)
          .bind("title", title)
          .execute();
      return find(handle, name).orElseThrow();
    });
  }

  public Optional<TenantRow> find(String name) {
    return database.withHandle(handle -> find(handle, name));
  }

  private static Optional<TenantRow> find(Handle handle, String name) {
    return handle
        .createQuery("SELECT * FROM tenant WHERE name = :name")
        .bind("name", name)
        .map(ROW)
        .findOne();
  }

  /// By name.
  public Page<TenantRow> list(PageRequest page) {
    String after = Cursor.of(page, 1).map(cursor -> cursor.part(0)).orElse("");
    List<TenantRow> rows =
        database.withHandle(handle ->
            new PagedQuery("name", "SELECT * FROM tenant WHERE name > :after")
                .bind("after", after)
                .fetch(handle, page, ROW));
    return Cursor.toPage(rows, page, tenant -> Cursor.encode(tenant.name()));
  }
}
