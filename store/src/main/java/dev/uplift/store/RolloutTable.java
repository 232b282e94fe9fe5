package dev.uplift.store;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.Waiting;
import dev.uplift.store.Membership.LeftOut;
import dev.uplift.store.Membership.NewWave;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.Update;

/// The statements behind [Rollouts], within one transaction.
final class RolloutTable {
  static final RowMapper<RolloutRow> ROW = Columns.as(RolloutTable::read);

  /// So many rows are sent at once.
  private static final int BATCH = 1000;

  private final Handle handle;

  RolloutTable(Handle handle) {
    this.handle = handle;
  }

  static <S extends SqlStatement<S>> S bind(S statement, RolloutId id) {
    return statement.bind("tenant", id.tenant()).bind("rollout", id.name());
  }

  Optional<RolloutRow> find(RolloutId id) {
    return select(id, "");
  }

  /// Nobody else locks it until the end of the transaction.
  Optional<RolloutRow> lock(RolloutId id) {
    return select(id, " FOR UPDATE");
  }

  /// The row of a rollout that must be there, locked.
  RolloutRow locked(RolloutId id) {
    return lock(id).orElseThrow();
  }

  private Optional<RolloutRow> select(RolloutId id, String how) {
    return bind(
            handle.createQuery(
                "SELECT * FROM rollout WHERE tenant = :tenant AND id = :rollout" + how),
            id)
        .map(ROW)
        .findOne();
  }

  void insert(NewRollout rollout, Instant now) {
    bound(
            handle.createUpdate(
                """
                INSERT INTO rollout (tenant, id, title, package, version, plan, rules, steering,
                  state, priority, created_by, created_at, start_at)
                VALUES (:tenant, :rollout, :title, :package, :version, :plan, :rules, :steering,
                  :state, :priority, :by, :now, :startAt)
                ON CONFLICT DO NOTHING\
                """),
            rollout)
        .bind("state", Words.write(rollout.state()))
        .bind("by", rollout.createdBy())
        .bind("now", now)
        .execute();
  }

  int updateDraft(NewRollout rollout) {
    return bound(
            handle.createUpdate(
                """
                UPDATE rollout SET title = :title, package = :package, version = :version,
                  plan = :plan, rules = :rules, steering = :steering, priority = :priority,
                  start_at = :startAt, revision = revision + 1
                WHERE tenant = :tenant AND id = :rollout AND state = 'draft'\
                """),
            rollout)
        .execute();
  }

  private static Update bound(Update statement, NewRollout rollout) {
    return bind(statement, rollout.id())
        .bind("title", rollout.title())
        .bind("package", rollout.release().packageName())
        .bind("version", rollout.release().version())
        .bind("plan", rollout.plan())
        .bind("rules", rollout.rules())
        .bind("steering", rollout.steering())
        .bind("priority", rollout.priority())
        .bindByType("startAt", rollout.startAt().orElse(null), Instant.class);
  }

  /// @param set of one row, with `:tenant` and `:rollout` and no more
  void update(RolloutId id, String set) {
    bind(
            handle.createUpdate(
                "UPDATE rollout SET " + set + " WHERE tenant = :tenant AND id = :rollout"),
            id)
        .execute();
  }

  void setText(RolloutId id, String column, String text) {
    bind(
            handle.createUpdate(
                "UPDATE rollout SET "
                    + column
                    + " = :text, revision = revision + 1"
                    + " WHERE tenant = :tenant AND id = :rollout"),
            id)
        .bind("text", text)
        .execute();
  }

  void setState(RolloutId id, RolloutState state, Optional<RolloutWait> wait) {
    bind(
            handle.createUpdate(
                """
                UPDATE rollout SET state = :state, wait_word = :word, wait_sentence = :sentence,
                  wait_since = :since, wait_until = :until
                WHERE tenant = :tenant AND id = :rollout\
                """),
            id)
        .bind("state", Words.write(state))
        .bind("word", wait.map(RolloutWait::what).map(Words::write).orElse(null))
        .bind("sentence", wait.map(RolloutWait::sentence).orElse(null))
        .bindByType("since", wait.map(RolloutWait::since).orElse(null), Instant.class)
        .bindByType("until", wait.flatMap(RolloutWait::until).orElse(null), Instant.class)
        .execute();
  }

  void end(RolloutId id, RolloutOutcome outcome, Instant now) {
    setState(id, RolloutState.ENDED, Optional.empty());
    bind(
            handle.createUpdate(
                """
                UPDATE rollout SET outcome = :outcome, ended_at = :now
                WHERE tenant = :tenant AND id = :rollout\
                """),
            id)
        .bind("outcome", Words.write(outcome))
        .bind("now", now)
        .execute();
  }

  void insertWaves(RolloutId id, List<NewWave> waves) {
    each(
        id,
        """
        INSERT INTO rollout_wave (tenant, rollout, number, place, title, size)
        VALUES (:tenant, :rollout, :number, :place, :title, :size)\
        """,
        waves,
        (batch, wave) ->
            batch
                .bind("number", wave.number())
                .bind("place", wave.place())
                .bind("title", wave.title())
                .bind("size", wave.devices().size()));
  }

  /// @param position of the first of them; the others follow
  void insertTargets(RolloutId id, int wave, long position, List<String> devices) {
    record Placed(String device, long position) {}
    var placed = new ArrayList<Placed>(devices.size());
    devices.forEach(device -> placed.add(new Placed(device, position + placed.size())));
    each(
        id,
        """
        INSERT INTO rollout_target (tenant, rollout, device, wave, position, state)
        VALUES (:tenant, :rollout, :device, :wave, :position, :state)\
        """,
        placed,
        (batch, target) ->
            batch
                .bind("device", target.device())
                .bind("wave", wave)
                .bind("position", target.position())
                .bind("state", "pending"));
  }

  void insertLeftOut(RolloutId id, List<LeftOut> leftOut) {
    each(
        id,
        """
        INSERT INTO rollout_left_out (tenant, rollout, device, reason, detail)
        VALUES (:tenant, :rollout, :device, :reason, :detail)\
        """,
        leftOut,
        (batch, one) ->
            batch
                .bind("device", one.device())
                .bind("reason", one.reason())
                .bind("detail", one.detail()));
  }

  /// How many rows each of them changed.
  ///
  /// @param sql with `:tenant`, `:rollout`, and what `more` binds
  <T> int[] each(RolloutId id, String sql, List<T> all, BiConsumer<PreparedBatch, T> more) {
    var changed = new int[all.size()];
    for (int from = 0; from < all.size(); from += BATCH) {
      List<T> part = all.subList(from, Math.min(from + BATCH, all.size()));
      try (PreparedBatch batch = handle.prepareBatch(sql)) {
        for (T one : part) {
          more.accept(bind(batch, id), one);
          batch.add();
        }
        System.arraycopy(batch.execute(), 0, changed, from, part.size());
      }
    }
    return changed;
  }

  private static RolloutRow read(Columns row) throws SQLException {
    return new RolloutRow(
        new RolloutId(row.text("tenant"), row.text("id")),
        row.text("title"),
        new Release(row.text("package"), row.text("version")),
        row.text("plan"),
        row.text("rules"),
        row.text("steering"),
        row.word("state", RolloutState.class),
        row.count("priority"),
        row.count("waves"),
        row.count("current_wave"),
        row.number("mark"),
        row.number("verdicts"),
        row.text("created_by"),
        row.time("created_at"),
        row.maybeTime("start_at"),
        row.maybeTime("started_at"),
        row.maybeTime("ended_at"),
        row.maybeWord("outcome", RolloutOutcome.class),
        row.maybeText("wait_word").isEmpty() ? Optional.empty() : Optional.of(readWait(row)),
        row.number("revision"));
  }

  private static RolloutWait readWait(Columns row) throws SQLException {
    return new RolloutWait(
        row.word("wait_word", Waiting.class),
        row.text("wait_sentence"),
        row.time("wait_since"),
        row.maybeTime("wait_until"));
  }
}
