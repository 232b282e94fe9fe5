package dev.uplift.store.rollout;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.RowReader;
import dev.uplift.store.rollout.RolloutMembership.ExcludedDevice;
import dev.uplift.store.rollout.RolloutMembership.NewWave;
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

/// The statements behind [RolloutRepository], within one transaction.
final class RolloutStatements {
  static final RowMapper<RolloutRow> ROW = RowReader.mapper(RolloutStatements::read);

  /// So many rows are sent at once.
  private static final int BATCH_SIZE = 1000;

  private final Handle handle;

  RolloutStatements(Handle handle) {
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
  RolloutRow lockExisting(RolloutId id) {
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
    bindRow(
            handle.createUpdate(
                """
                INSERT INTO rollout (tenant, id, title, package, version, plan, rules, control,
                  state, priority, created_by, created_at, start_at)
                VALUES (:tenant, :rollout, :title, :package, :version, :plan, :rules, :control,
                  :state, :priority, :by, :now, :startAt)
                ON CONFLICT DO NOTHING\
                """),
            rollout)
        .bind("state", EnumCodec.encode(rollout.state()))
        .bind("by", rollout.createdBy())
        .bind("now", now)
        .execute();
  }

  int updateDraft(NewRollout rollout) {
    return bindRow(
            handle.createUpdate(
                """
                UPDATE rollout SET title = :title, package = :package, version = :version,
                  plan = :plan, rules = :rules, control = :control, priority = :priority,
                  start_at = :startAt, revision = revision + 1
                WHERE tenant = :tenant AND id = :rollout AND state = 'draft'\
                """),
            rollout)
        .execute();
  }

  private static Update bindRow(Update statement, NewRollout rollout) {
    return bind(statement, rollout.id())
        .bind("title", rollout.title())
        .bind("package", rollout.release().packageName())
        .bind("version", rollout.release().version())
        .bind("plan", rollout.plan())
        .bind("rules", rollout.rules())
        .bind("control", rollout.control())
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
                UPDATE rollout SET state = :state, wait_reason = :word, wait_message = :sentence,
                  wait_since = :since, wait_until = :until
                WHERE tenant = :tenant AND id = :rollout\
                """),
            id)
        .bind("state", EnumCodec.encode(state))
        .bind("word", wait.map(RolloutWait::reason).map(EnumCodec::encode).orElse(null))
        .bind("sentence", wait.map(RolloutWait::message).orElse(null))
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
        .bind("outcome", EnumCodec.encode(outcome))
        .bind("now", now)
        .execute();
  }

  void insertWaves(RolloutId id, List<NewWave> waves) {
    executeBatch(
        id,
        """
        INSERT INTO rollout_wave (tenant, rollout, number, plan_index, title, size)
        VALUES (:tenant, :rollout, :number, :place, :title, :size)\
        """,
        waves,
        (batch, wave) ->
            batch
                .bind("number", wave.number())
                .bind("place", wave.planIndex())
                .bind("title", wave.title())
                .bind("size", wave.devices().size()));
  }

  /// @param position of the first of them; the others follow
  void insertTargets(RolloutId id, int wave, long position, List<String> devices) {
    record Placed(String device, long position) {}
    var placed = new ArrayList<Placed>(devices.size());
    devices.forEach(device -> placed.add(new Placed(device, position + placed.size())));
    executeBatch(
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

  void insertExcluded(RolloutId id, List<ExcludedDevice> excluded) {
    executeBatch(
        id,
        """
        INSERT INTO rollout_exclusion (tenant, rollout, device, reason, detail)
        VALUES (:tenant, :rollout, :device, :reason, :detail)\
        """,
        excluded,
        (batch, one) ->
            batch
                .bind("device", one.device())
                .bind("reason", one.reason())
                .bind("detail", one.detail()));
  }

  /// How many rows each of them changed.
  ///
  /// @param sql with `:tenant`, `:rollout`, and what `more` binds
  <T> int[] executeBatch(RolloutId id, String sql, List<T> all, BiConsumer<PreparedBatch, T> more) {
    var changed = new int[all.size()];
    for (int from = 0; from < all.size(); from += BATCH_SIZE) {
      List<T> part = all.subList(from, Math.min(from + BATCH_SIZE, all.size()));
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

  private static RolloutRow read(RowReader row) throws SQLException {
    return new RolloutRow(
        new RolloutId(row.text("tenant"), row.text("id")),
        row.text("title"),
        new Release(row.text("package"), row.text("version")),
        row.text("plan"),
        row.text("rules"),
        row.text("control"),
        row.enumValue("state", RolloutState.class),
        row.intValue("priority"),
        row.intValue("wave_count"),
        row.intValue("current_wave"),
        row.longValue("baseline_result_number"),
        row.longValue("last_result_number"),
        row.text("created_by"),
        row.instant("created_at"),
        row.optionalInstant("start_at"),
        row.optionalInstant("started_at"),
        row.optionalInstant("ended_at"),
        row.optionalEnum("outcome", RolloutOutcome.class),
        row.optionalText("wait_reason").isEmpty() ? Optional.empty() : Optional.of(readWait(row)),
        row.longValue("revision"));
  }

  private static RolloutWait readWait(RowReader row) throws SQLException {
    return new RolloutWait(
        row.enumValue("wait_reason", WaitReason.class),
        row.text("wait_message"),
        row.instant("wait_since"),
        row.optionalInstant("wait_until"));
  }
}
