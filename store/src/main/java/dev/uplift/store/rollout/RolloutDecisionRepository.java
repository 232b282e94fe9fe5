package dev.uplift.store.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.store.Cursor;
import dev.uplift.store.Database;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.PagedQuery;
import dev.uplift.store.RowReader;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;

/// The table `rollout_decision`: what was decided about a rollout, by whom and why. Only ever
/// grows. Append together with what was done, under the lock of the rollout: [RolloutRepository#lock].
public final class RolloutDecisionRepository {
  private static final RowMapper<DecisionRow> ROW = RowReader.mapper(RolloutDecisionRepository::read);

  private final Database database;
  private final InstantSource clock;

  public RolloutDecisionRepository(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// The decision is in the log. A request that is there already is not written again: what was
  /// answered to it then is returned.
  public DecisionRow append(RolloutId id, NewDecision decision) {
    return database.withHandleInTransaction(handle ->
        decision
            .requestId()
            .flatMap(request -> findByRequest(id, request))
            .orElseGet(() -> insert(handle, id, decision)));
  }

  /// [#append], unless the newest one says the same with other numbers: the same wave, decision,
  /// word and person. Returns the row if it was written.
  public Optional<DecisionRow> appendIfNew(RolloutId id, NewDecision decision) {
    return findLast(id).filter(newest -> !decision.differsFrom(newest.decision())).isPresent()
        ? Optional.empty()
        : Optional.of(append(id, decision));
  }

  private DecisionRow insert(Handle handle, RolloutId id, NewDecision decision) {
    long number = findLast(id).map(DecisionRow::number).orElse(0L) + 1;
    RolloutStatements.bind(
            handle.createUpdate(
                """
                INSERT INTO rollout_decision (tenant, rollout, number, decided_at, wave, decision,
                  reason, message, inputs, actor, request_id)
                VALUES (:tenant, :rollout, :number, :now, :wave, :decision, :word, :sentence,
                  :inputs, :who, :request)\
                """),
            id)
        .bind("number", number)
        .bind("now", clock.instant())
        .bind("wave", decision.wave())
        .bind("decision", decision.decision())
        .bind("word", decision.reason())
        .bind("sentence", decision.message())
        .bind("inputs", decision.inputs())
        .bind("who", decision.actor())
        .bind("request", decision.requestId().orElse(null))
        .execute();
    return findLast(id).orElseThrow();
  }

  /// What was decided when somebody asked for it.
  public Optional<DecisionRow> findByRequest(RolloutId id, String request) {
    return database.withHandle(handle ->
        RolloutStatements.bind(
                handle.createQuery(
                    """
                    SELECT * FROM rollout_decision
                    WHERE tenant = :tenant AND rollout = :rollout AND request_id = :request\
                    """),
                id)
            .bind("request", request)
            .map(ROW)
            .findOne());
  }

  public Optional<DecisionRow> findLast(RolloutId id) {
    return list(id, PageRequest.first(1)).rows().stream().findFirst();
  }

  /// Newest first.
  public Page<DecisionRow> list(RolloutId id, PageRequest page) {
    long before = Cursor.of(page, 1).map(end -> end.longValue(0)).orElse(Long.MAX_VALUE);
    PagedQuery pagedQuery =
        new PagedQuery(
                "tenant, rollout, number DESC",
                """
                SELECT * FROM rollout_decision
                WHERE tenant = :tenant AND rollout = :rollout AND number < :before\
                """)
            .bind("tenant", id.tenant())
            .bind("rollout", id.name())
            .bind("before", before);
    List<DecisionRow> rows = database.withHandle(handle -> pagedQuery.fetch(handle, page, ROW));
    return Cursor.toPage(rows, page, row -> Cursor.encode(Long.toString(row.number())));
  }

  /// Those after the one with this number, in their order; for who follows the log.
  ///
  /// @param number 0 for all
  public List<DecisionRow> listSince(RolloutId id, long number, int limit) {
    return database.withHandle(handle ->
        RolloutStatements.bind(
                handle.createQuery(
                    """
                    SELECT * FROM rollout_decision
                    WHERE tenant = :tenant AND rollout = :rollout AND number > :number
                    ORDER BY tenant, rollout, number LIMIT :limit\
                    """),
                id)
            .bind("number", number)
            .bind("limit", limit)
            .map(ROW)
            .list());
  }

  private static DecisionRow read(RowReader row) throws SQLException {
    return new DecisionRow(
        row.longValue("number"),
        row.instant("decided_at"),
        new NewDecision(
            row.intValue("wave"),
            row.text("decision"),
            row.text("reason"),
            row.text("message"),
            row.text("inputs"),
            row.text("actor"),
            row.optionalText("request_id")));
  }
}
