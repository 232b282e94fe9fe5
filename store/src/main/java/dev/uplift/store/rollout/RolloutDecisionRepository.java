package dev.uplift.store.rollout;

import dev.uplift.fleet.RolloutId;
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
import java.util.List;
import java.util.Optional;

/// The table `rollout_decision`: what was decided about a rollout, by whom and why. Append-only. Append in the
/// transaction of what was done, under the lock of the rollout: [RolloutRepository#lock].
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class RolloutDecisionRepository implements GenericRepository<DecisionRow, Long> {
  private final StoreClock clock;

  protected RolloutDecisionRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// Appends the decision. A request that is there already is not written again: the decision that was made for it is
  /// returned.
  ///
  /// @throws IllegalStateException outside of [Database#inTransaction]
  @RequiresTransaction
  public DecisionRow append(RolloutId id, NewDecision decision) {
    return decision.requestId().flatMap(request -> findByRequest(id, request)).orElseGet(() -> insert(id, decision));
  }

  /// [#append], unless the newest decision says the same with other numbers: the same wave, decision, reason and actor.
  /// Returns the row if it was written.
  @RequiresTransaction
  public Optional<DecisionRow> appendIfNew(RolloutId id, NewDecision decision) {
    return findLast(id).filter(newest -> !decision.differsFrom(newest.decision())).isPresent()
        ? Optional.empty()
        : Optional.of(append(id, decision));
  }

  private DecisionRow insert(RolloutId id, NewDecision decision) {
    long number = findLast(id).map(DecisionRow::number).orElse(0L) + 1;
    return save(
        new DecisionRow(
            id.tenant(),
            id.name(),
            number,
            clock.now(),
            decision.wave(),
            decision.decision(),
            decision.reason(),
            decision.message(),
            decision.inputs(),
            decision.actor(),
            decision.requestId()));
  }

  /// The decision that was made for a request.
  public Optional<DecisionRow> findByRequest(RolloutId id, String request) {
    return findByTenantAndRolloutAndRequestId(id.tenant(), id.name(), Optional.of(request));
  }

  public Optional<DecisionRow> findLast(RolloutId id) {
    return listBefore(id.tenant(), id.name(), Long.MAX_VALUE, 1).stream().findFirst();
  }

  /// Newest first.
  public Page<DecisionRow> list(RolloutId id, PageRequest page) {
    long before = Cursor.numberBefore(page);
    return Cursor.toPageByNumber(
        listBefore(id.tenant(), id.name(), before, page.limit() + 1), page, DecisionRow::number);
  }

  /// The decisions after the one with this number, in their order; for a reader that follows the log.
  ///
  /// @param number 0 for all
  public List<DecisionRow> listSince(RolloutId id, long number, int limit) {
    return listAfter(id.tenant(), id.name(), number, limit);
  }

  abstract DecisionRow save(DecisionRow row);

  abstract Optional<DecisionRow> findByTenantAndRolloutAndRequestId(
      String tenant, String rollout, Optional<String> requestId);

  @Query(
      """
      SELECT * FROM rollout_decision
      WHERE tenant = :tenant AND rollout = :rollout AND number < :before
      ORDER BY tenant, rollout, number DESC LIMIT :limit\
      """)
  abstract List<DecisionRow> listBefore(String tenant, String rollout, long before, int limit);

  @Query(
      """
      SELECT * FROM rollout_decision
      WHERE tenant = :tenant AND rollout = :rollout AND number > :after
      ORDER BY tenant, rollout, number LIMIT :limit\
      """)
  abstract List<DecisionRow> listAfter(String tenant, String rollout, long after, int limit);
}
