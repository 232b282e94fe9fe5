package dev.uplift.store.tenant;

import dev.uplift.store.Cursor;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.RequiresTransaction;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The table `tenant`. The row of a deleted tenant stays, so its name is never used again: whoever had access to the
/// old one has none to another.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class TenantRepository implements GenericRepository<TenantRow, String> {
  private final StoreClock clock;

  protected TenantRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// Creates the tenant, or gives it another title. Returns empty, and changes nothing, if it is deleted.
  public Optional<TenantRow> put(String name, String title) {
    insertIfAbsent(name, title, clock.now());
    updateTitle(name, title);
    return find(name);
  }

  /// Sets whether a person may override what the owners of its hosts hold. Returns empty if there is no such tenant.
  public Optional<TenantRow> allowHoldOverride(String name, boolean allow) {
    updateHoldOverride(name, allow);
    return find(name);
  }

  @Query("UPDATE tenant SET allow_hold_override = :allow WHERE name = :name AND deleted_at IS NULL")
  abstract int updateHoldOverride(String name, boolean allow);

  @Query("INSERT INTO tenant (name, title, created_at) VALUES (:name, :title, :now) ON CONFLICT DO" + " NOTHING")
  abstract int insertIfAbsent(String name, String title, Instant now);

  @Query("UPDATE tenant SET title = :title WHERE name = :name AND deleted_at IS NULL")
  abstract int updateTitle(String name, String title);

  /// Locks the tenant: every other caller waits until the end of the transaction, so that a limit holds for what is
  /// counted and then created. Nothing else waits.
  ///
  /// @throws IllegalStateException outside of a transaction
  // With `FOR UPDATE` every insert that refers to the tenant would wait on PostgreSQL.
  @RequiresTransaction
  @Query("UPDATE tenant SET title = title WHERE name = :name")
  public abstract void lock(String name);

  /// Deletes the tenant: from now on it is not found. What belongs to it is left to [TenantRemovalRepository]. Returns
  /// false if there is none.
  public boolean delete(String name) {
    return setDeleted(name, clock.now()) > 0;
  }

  @Query("UPDATE tenant SET deleted_at = :now WHERE name = :name AND deleted_at IS NULL")
  abstract int setDeleted(String name, Instant now);

  public Optional<TenantRow> find(String name) {
    return findWithDeleted(name).filter(row -> row.deletedAt() == null);
  }

  /// As [#find], and deleted ones too.
  @Query("SELECT * FROM tenant WHERE name = :name")
  public abstract Optional<TenantRow> findWithDeleted(String name);

  /// By name, without the deleted ones.
  public Page<TenantRow> list(PageRequest page) {
    return Cursor.toPage(listAfter(after(page), page.limit() + 1), page, tenant -> Cursor.encode(tenant.name()));
  }

  /// By name, with the deleted ones.
  public Page<TenantRow> listWithDeleted(PageRequest page) {
    return Cursor.toPage(
        listWithDeletedAfter(after(page), page.limit() + 1), page, tenant -> Cursor.encode(tenant.name()));
  }

  private static String after(PageRequest page) {
    return Cursor.of(page, 1).map(cursor -> cursor.part(0)).orElse("");
  }

  @Query("SELECT * FROM tenant WHERE name > :after AND deleted_at IS NULL ORDER BY name LIMIT :limit")
  abstract List<TenantRow> listAfter(String after, int limit);

  @Query("SELECT * FROM tenant WHERE name > :after ORDER BY name LIMIT :limit")
  abstract List<TenantRow> listWithDeletedAfter(String after, int limit);

  /// All deleted tenants, by name.
  @Query("SELECT * FROM tenant WHERE deleted_at IS NOT NULL ORDER BY name")
  public abstract List<TenantRow> listDeleted();

  /// Records that nothing but its audit is left of a deleted tenant. Returns false if that is recorded already.
  public boolean recordRemoval(String name) {
    return setRemoved(name, clock.now()) > 0;
  }

  @Query("UPDATE tenant SET removed_at = :now WHERE name = :name AND deleted_at IS NOT NULL AND removed_at IS NULL")
  abstract int setRemoved(String name, Instant now);
}
