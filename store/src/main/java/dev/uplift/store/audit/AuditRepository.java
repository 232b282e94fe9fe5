package dev.uplift.store.audit;

import dev.uplift.store.Cursor;
import dev.uplift.store.NoSuchTenant;
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

/// The table `audit`: who did what, when, to what, from where. Append-only. Append in the transaction of what was done:
/// [Database#inTransaction].
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class AuditRepository implements GenericRepository<AuditEntity, Long> {
  private final StoreClock clock;

  protected AuditRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// Appends the entry with the current time.
  ///
  /// @throws NoSuchTenant if its tenant does not exist
  public void append(AuditEntry entry) {
    insert(entry.tenant(), clock.now(), entry.actor(), entry.action(), entry.target(), entry.origin(), entry.detail());
  }

  @Query(
      """
      INSERT INTO audit (tenant, occurred_at, actor, action, target, origin, detail)
      VALUES (:tenant, :now, :actor, :action, :target, :origin, :detail)\
      """)
  abstract int insert(
      String tenant, Instant now, String actor, String action, String target, String origin, String detail);

  /// Newest first.
  ///
  /// @param target what it was done to; empty for all
  public Page<AuditRow> list(String tenant, Optional<String> target, PageRequest page) {
    long before = Cursor.numberBefore(page);
    int limit = page.limit() + 1;
    List<AuditEntity> found =
        target
            .map(wanted -> listOfTarget(tenant, wanted, before, limit))
            .orElseGet(() -> listAll(tenant, before, limit));
    return Cursor.toPageByNumber(found.stream().map(AuditEntity::toRow).toList(), page, AuditRow::number);
  }

  /// The first page has a bound, too, or H2 reads it from another index and sorts all rows.
  @Query(
      """
      SELECT * FROM audit WHERE tenant = :tenant AND number < :before
      ORDER BY tenant, number DESC LIMIT :limit\
      """)
  abstract List<AuditEntity> listAll(String tenant, long before, int limit);

  @Query(
      """
      SELECT * FROM audit WHERE tenant = :tenant AND target = :target AND number < :before
      ORDER BY tenant, target, number DESC LIMIT :limit\
      """)
  abstract List<AuditEntity> listOfTarget(String tenant, String target, long before, int limit);
}
