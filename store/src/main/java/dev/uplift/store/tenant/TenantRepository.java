package dev.uplift.store.tenant;

import dev.uplift.store.Cursor;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The table `tenant`. A tenant is never removed.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class TenantRepository implements GenericRepository<TenantRow, String> {
  private final StoreClock clock;

  protected TenantRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// Creates the tenant, or gives it another title.
  public TenantRow put(String name, String title) {
    insertIfAbsent(name, title, clock.now());
    updateTitle(name, title);
    return find(name).orElseThrow();
  }

  @Query("INSERT INTO tenant (name, title, created_at) VALUES (:name, :title, :now) ON CONFLICT DO" + " NOTHING")
  abstract int insertIfAbsent(String name, String title, Instant now);

  @Query("UPDATE tenant SET title = :title WHERE name = :name")
  abstract int updateTitle(String name, String title);

  public Optional<TenantRow> find(String name) {
    return findByName(name);
  }

  abstract Optional<TenantRow> findByName(String name);

  /// By name.
  public Page<TenantRow> list(PageRequest page) {
    String after = Cursor.of(page, 1).map(cursor -> cursor.part(0)).orElse("");
    return Cursor.toPage(listAfter(after, page.limit() + 1), page, tenant -> Cursor.encode(tenant.name()));
  }

  @Query("SELECT * FROM tenant WHERE name > :after ORDER BY name LIMIT :limit")
  abstract List<TenantRow> listAfter(String after, int limit);
}
