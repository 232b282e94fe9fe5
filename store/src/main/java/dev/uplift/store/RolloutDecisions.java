package dev.uplift.store;

import dev.uplift.fleet.RolloutId;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;

/// The table `rollout_decision`: what was decided about a rollout, by whom and why. Only ever
/// grows. Append together with what was done, under the lock of the rollout: [Rollouts#lock].
public final class RolloutDecisions {
  private static final RowMapper<DecisionRow> ROW = Columns.as(RolloutDecisions::read);

  private final Database database;
  private final InstantSource clock;

  public RolloutDecisions(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// The decision is in the log. A request that is there already is not written again: what was
  /// answered to it then is returned.
  public DecisionRow append(RolloutId id, NewDecision decision) {
    return database.within(handle ->
        decision
            .request()
            .flatMap(request -> answered(id, request))
            .orElseGet(() -> insert(handle, id, decision)));
  }

  /// [#append], unless the newest one says the same with other numbers: the same wave, decision,
  /// word and person. Returns the row if it was written.
  public Optional<DecisionRow> appendIfNew(RolloutId id, NewDecision decision) {
    return last(id).filter(newest -> !decision.differsFrom(newest.said())).isPresent()
        ? Optional.empty()
        : Optional.of(append(id, decision));
  }

  private DecisionRow insert(Handle handle, RolloutId id, NewDecision decision) {
    long number = last(id).map(DecisionRow::number).orElse(0L) + 1;
    RolloutTable.bind(
            handle.createUpdate(
                """
                INSERT INTO rollout_decision (tenant, rollout, number, decided_at, wave, decision,
                  word, sentence, inputs, who, request)
                VALUES (:tenant, :rollout, :number, :now, :wave, :decision, :word, :sentence,
                  :inputs, :who, :request)\
                """),
            id)
        .bind("number", number)
        .bind("now", clock.instant())
        .bind("wave", decision.wave())
        .bind("decision", decision.decision())
        .bind("word", decision.word())
        .bind("sentence", decision.sentence())
        .bind("inputs", decision.inputs())
        .bind("who", decision.who())
        .bind("request", decision.request().orElse(null))
        .execute();
    return last(id).orElseThrow();
  }

  /// What was decided when somebody asked for it.
  public Optional<DecisionRow> answered(RolloutId id, String request) {
    return database.run(handle ->
        RolloutTable.bind(
                handle.createQuery(
                    """
                    SELECT * FROM rollout_decision
                    WHERE tenant = :tenant AND rollout = :rollout AND request = :request\
                    """),
                id)
            .bind("request", request)
            .map(ROW)
            .findOne());
  }

  public Optional<DecisionRow> last(RolloutId id) {
    return list(id, PageRequest.first(1)).rows().stream().findFirst();
  }

  /// Newest first.
  public Page<DecisionRow> list(RolloutId id, PageRequest page) {
    long before = Cursor.of(page, 1).map(end -> end.number(0)).orElse(Long.MAX_VALUE);
    Question question =
        new Question(
                "tenant, rollout, number DESC",
                """
                SELECT * FROM rollout_decision
                WHERE tenant = :tenant AND rollout = :rollout AND number < :before\
                """)
            .with("tenant", id.tenant())
            .with("rollout", id.name())
            .with("before", before);
    List<DecisionRow> rows = database.run(handle -> question.rows(handle, page, ROW));
    return Cursor.page(rows, page, row -> Cursor.write(Long.toString(row.number())));
  }

  /// Those after the one with this number, in their order; for who follows the log.
  ///
  /// @param number 0 for all
  public List<DecisionRow> since(RolloutId id, long number, int limit) {
    return database.run(handle ->
        RolloutTable.bind(
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

  private static DecisionRow read(Columns row) throws SQLException {
    return new DecisionRow(
        row.number("number"),
        row.time("decided_at"),
        new NewDecision(
            row.count("wave"),
            row.text("decision"),
            row.text("word"),
            row.text("sentence"),
            row.text("inputs"),
            row.text("who"),
            row.maybeText("request")));
  }
}
