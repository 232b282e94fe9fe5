package dev.uplift.store.policy;

import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.store.ConcurrentModification;
import dev.uplift.store.Cursor;
import dev.uplift.store.NoSuchTenant;
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

/// The table `policy`.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class PolicyRepository implements GenericRepository<PolicyRow, String> {
  private static final String KEY = " WHERE tenant = :tenant AND name = :name";

  private final StoreClock clock;

  protected PolicyRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// Makes the policy as `policy` says; a new one is disabled. Writes nothing if it is so already. To rely on what was
  /// there, [#lock] it in the same transaction.
  ///
  /// @throws NoSuchTenant if its tenant does not exist
  public PolicyRow put(NewPolicy policy, String by) {
    PolicyId id = policy.id();
    Optional<PolicyRow> found = find(id);
    if (found.filter(row -> isSame(row, policy)).isPresent()) {
      return found.get();
    }
    int written =
        found.isPresent()
            ? update(
                id.tenant(),
                id.name(),
                policy.title(),
                policy.description(),
                policy.packageName(),
                policy.priority(),
                policy.spec(),
                by,
                clock.now())
            : insertIfAbsent(
                id.tenant(),
                id.name(),
                policy.title(),
                policy.description(),
                policy.packageName(),
                policy.priority(),
                policy.spec(),
                by,
                clock.now());
    return written(id, written);
  }

  private static boolean isSame(PolicyRow row, NewPolicy policy) {
    return row.title().equals(policy.title())
        && row.description().equals(policy.description())
        && row.packageName().equals(policy.packageName())
        && row.priority() == policy.priority()
        && row.spec().equals(policy.spec());
  }

  /// Enables the policy, or disables it. Enabling one that is enabled makes it the one that was enabled last.
  public PolicyRow setEnabled(PolicyId id, boolean enabled, String by) {
    return written(
        id,
        enabled ? enable(id.tenant(), id.name(), by, clock.now()) : disable(id.tenant(), id.name(), by, clock.now()));
  }

  private PolicyRow written(PolicyId id, int rows) {
    if (rows == 0) {
      throw new ConcurrentModification("policy " + id);
    }
    return find(id).orElseThrow();
  }

  /// Removes the policy. Returns whether there was one.
  public boolean remove(PolicyId id) {
    return deleteRow(id.tenant(), id.name()) > 0;
  }

  public Optional<PolicyRow> find(PolicyId id) {
    return findByTenantAndName(id.tenant(), id.name());
  }

  /// Locks the row until the end of the transaction.
  ///
  /// @throws IllegalStateException outside of a transaction
  @RequiresTransaction
  public Optional<PolicyRow> lock(PolicyId id) {
    return lock(id.tenant(), id.name());
  }

  /// By name.
  public Page<PolicyRow> list(String tenant, PageRequest page) {
    String after = Cursor.of(page, 1).map(cursor -> cursor.part(0)).orElse("");
    return Cursor.toPage(listAfter(tenant, after, page.limit() + 1), page, row -> Cursor.encode(row.name()));
  }

  /// All for a package, by name. Few.
  @Query("SELECT * FROM policy WHERE tenant = :tenant AND package = :packageName ORDER BY tenant, name")
  public abstract List<PolicyRow> findOfPackage(String tenant, String packageName);

  /// The enabled ones for a package. Few.
  @Query(
      """
      SELECT * FROM policy WHERE tenant = :tenant AND package = :packageName AND enabled = TRUE
      ORDER BY tenant, name\
      """)
  public abstract List<PolicyRow> findEnabled(String tenant, String packageName);

  /// The enabled ones of a tenant. Few.
  @Query("SELECT * FROM policy WHERE enabled = TRUE AND tenant = :tenant ORDER BY enabled, tenant, name")
  public abstract List<PolicyRow> findEnabledOfTenant(String tenant);

  /// The enabled ones of all tenants.
  @Query("SELECT * FROM policy WHERE enabled = TRUE ORDER BY enabled, tenant, name")
  public abstract List<PolicyRow> findAllEnabled();

  abstract Optional<PolicyRow> findByTenantAndName(String tenant, String name);

  @Query("SELECT * FROM policy" + KEY + " FOR UPDATE")
  abstract Optional<PolicyRow> lock(String tenant, String name);

  @Query("SELECT * FROM policy WHERE tenant = :tenant AND name > :after ORDER BY tenant, name LIMIT :limit")
  abstract List<PolicyRow> listAfter(String tenant, String after, int limit);

  @Query(
      """
      INSERT INTO policy (tenant, name, title, description, package, enabled, priority, spec, version, created_by,
        created_at, changed_by, changed_at)
      VALUES (:tenant, :name, :title, :description, :packageName, FALSE, :priority, :spec, 1, :by, :now, :by, :now)
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(
      String tenant,
      String name,
      String title,
      String description,
      String packageName,
      int priority,
      String spec,
      String by,
      Instant now);

  @Query(
      """
      UPDATE policy SET title = :title, description = :description, package = :packageName, priority = :priority,
        spec = :spec, version = version + 1, changed_by = :by, changed_at = :now\
      """
          + KEY)
  abstract int update(
      String tenant,
      String name,
      String title,
      String description,
      String packageName,
      int priority,
      String spec,
      String by,
      Instant now);

  @Query(
      """
      UPDATE policy SET enabled = TRUE, enabled_at = :now, version = version + 1, changed_by = :by, changed_at = :now\
      """
          + KEY)
  abstract int enable(String tenant, String name, String by, Instant now);

  @Query(
      """
      UPDATE policy SET enabled = FALSE, version = version + 1, changed_by = :by, changed_at = :now\
      """
          + KEY)
  abstract int disable(String tenant, String name, String by, Instant now);

  @Query("DELETE FROM policy" + KEY)
  abstract int deleteRow(String tenant, String name);
}
