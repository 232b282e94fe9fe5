package dev.uplift.store.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.Database;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.RowReader;
import dev.uplift.store.rollout.TargetRow.QueuePosition;
import dev.uplift.store.upgrade.UpgradeEnd;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/// What there is to do in a rollout: who may be next, who has ended, who was forgotten. What is
/// read under the lock of the rollout, [RolloutRepository#lock], holds until it is let go.
public final class RolloutQueue {
  private static final Comparator<TargetRow> BY_QUEUE_POSITION =
      Comparator.<TargetRow>comparingInt(row -> row.queuePosition().wave())
          .thenComparingLong(row -> row.queuePosition().position())
          .thenComparing(TargetRow::device);

  private static final List<TargetState> BUSY =
      List.of(
          TargetState.STARTING, TargetState.STARTED, TargetState.PROCEEDING, TargetState.REVERTING);

  private final Database database;

  public RolloutQueue(Database database) {
    this.database = database;
  }

  /// Devices that may be next, in the order of their turns: pending ones, those too whose time
  /// between two tries is not over, and those that were started ahead.
  ///
  /// @param wave of this wave and those before it
  /// @param after the turn of the last one of the page before; [QueuePosition#FIRST] for the first page
  public List<TargetRow> candidates(RolloutId id, int wave, QueuePosition after, int limit) {
    return database.withHandle(handle -> {
      var found = new ArrayList<TargetRow>();
      for (String state : List.of("state = 'pending'", "state = 'started' AND prepare_ahead")) {
        found.addAll(
            RolloutStatements.bind(
                    handle.createQuery(
                        "SELECT * FROM rollout_target WHERE tenant = :tenant"
                            + " AND rollout = :rollout AND wave <= :wave AND wave >= :after"
                            + " AND (wave > :after OR position > :position) AND "
                            + state
                            + " ORDER BY tenant, rollout, state, wave, position LIMIT :limit"),
                    id)
                .bind("wave", wave)
                .bind("after", after.wave())
                .bind("position", after.position())
                .bind("limit", limit)
                .map(TargetStatements.ROW)
                .list());
      }
      return found.stream().sorted(BY_QUEUE_POSITION).limit(limit).toList();
    });
  }

  /// Devices that are in `state`, in the order of their turns. Meant for states that few are in at
  /// the same time: in [TargetState#STARTING] and [TargetState#PROCEEDING] at the begin of a tick
  /// are those whose start or going on nobody knows to have succeeded.
  public List<TargetRow> listInState(RolloutId id, TargetState state) {
    return database.withHandle(handle -> new TargetStatements(handle, id).listInState(state));
  }

  /// Devices whose upgrade has ended and who have no result for it yet, in the order of the ends.
  /// Under the lock of the rollout and followed by [RolloutTargetRepository#recordResults] in the same transaction,
  /// each is seen exactly once.
  public List<FinishedTarget> finishedUpgrades(RolloutId id) {
    return finished(id, "upgrade", List.of(TargetState.STARTED, TargetState.PROCEEDING));
  }

  /// Devices that have gone back, or could not, and are still reverting; as [#finishedUpgrades].
  public List<FinishedTarget> finishedReverts(RolloutId id) {
    return finished(id, "revert_upgrade", List.of(TargetState.REVERTING));
  }

  private List<FinishedTarget> finished(RolloutId id, String column, List<TargetState> states) {
    return database.withHandle(handle ->
        states.stream()
            .flatMap(state ->
                selectInState(
                    handle,
                    id,
                    """
                    SELECT t.*, u.outcome, u.reason_kind, u.reason_code, u.reason_class,
                      u.reason_text, u.host_reports, u.ended_at AS upgrade_ended_at
                    FROM rollout_target t
                    JOIN upgrade u ON u.tenant = t.tenant AND u.id = t.%s
                    WHERE u.state = 'ended'\
                    """
                        .formatted(column),
                    state)
                    .map((row, context) ->
                        new FinishedTarget(
                            TargetStatements.ROW.map(row, context),
                            readEnd(row),
                            RowReader.of(row).instant("upgrade_ended_at")))
                    .list()
                    .stream())
            .sorted(
                Comparator.comparing(FinishedTarget::endedAt)
                    .thenComparing(ending -> ending.target().device()))
            .toList());
  }

  private static UpgradeEnd readEnd(ResultSet row) throws SQLException {
    return UpgradeEnd.ofColumns(
        row.getString("outcome"), row.getString("reason_kind"), row.getString("reason_code"),
        row.getString("reason_class"), row.getString("reason_text"), row.getString("host_reports"));
  }

  /// Devices in work whose upgrade is not in the records, of those that were started before
  /// `before`.
  public List<TargetRow> startedWithoutUpgrade(RolloutId id, Instant before) {
    return database.withHandle(handle ->
        selectInState(
                handle,
                id,
                """
                SELECT t.* FROM rollout_target t
                LEFT JOIN upgrade u ON u.tenant = t.tenant AND u.id = t.upgrade
                WHERE u.id IS NULL AND t.started_at < :before\
                """,
                TargetState.STARTED)
            .bind("before", before)
            .map(TargetStatements.ROW)
            .list());
  }

  /// Devices that go back and whose upgrade is not in the records, in the order of their turns.
  public List<TargetRow> revertingWithoutUpgrade(RolloutId id) {
    return database.withHandle(handle ->
        selectInState(
                handle,
                id,
                """
                SELECT t.* FROM rollout_target t
                LEFT JOIN upgrade u ON u.tenant = t.tenant AND u.id = t.revert_upgrade
                WHERE u.id IS NULL\
                """,
                TargetState.REVERTING)
            .map(TargetStatements.ROW)
            .list());
  }

  private static Query selectInState(Handle handle, RolloutId id, String sql, TargetState state) {
    return RolloutStatements.bind(
            handle.createQuery(
                sql
                    + " AND t.tenant = :tenant AND t.rollout = :rollout AND t.state = :state"
                    + " ORDER BY t.tenant, t.rollout, t.state, t.wave, t.position"),
            id)
        .bind("state", EnumCodec.encode(state));
  }

  /// Devices of the tenant that something else works on, and what, for people: an open target of
  /// another rollout, or an upgrade that runs and is not of this rollout. Few at any time.
  public Map<String, String> busyElsewhere(RolloutId id) {
    return database.withHandle(handle -> {
      var busy = new LinkedHashMap<String, String>();
      for (TargetState state : BUSY) {
        RolloutStatements.bind(
                handle.createQuery(
                    """
                    SELECT t.device, t.rollout FROM rollout r
                    JOIN rollout_target t ON t.tenant = r.tenant AND t.rollout = r.id
                    WHERE r.tenant = :tenant AND r.id <> :rollout
                      AND r.state NOT IN ('draft', 'ended') AND t.state = :state\
                    """),
                id)
            .bind("state", EnumCodec.encode(state))
            .map((row, _) -> Map.entry(row.getString(1), "rollout " + row.getString(2)))
            .forEach(entry -> busy.putIfAbsent(entry.getKey(), entry.getValue()));
      }
      RolloutStatements.bind(
              handle.createQuery(
                  """
                  SELECT device, id FROM upgrade u WHERE u.tenant = :tenant AND u.outcome IS NULL
                    AND NOT EXISTS (SELECT 1 FROM rollout_target t WHERE t.tenant = u.tenant
                      AND t.rollout = :rollout AND t.device = u.device
                      AND (t.upgrade = u.id OR t.revert_upgrade = u.id))\
                  """),
              id)
          .map((row, _) -> Map.entry(row.getString(1), "upgrade " + row.getString(2)))
          .forEach(entry -> busy.putIfAbsent(entry.getKey(), entry.getValue()));
      return busy;
    });
  }

  /// Which of these pending devices are first another running rollout's, and whose. That is one
  /// that comes before by its [dev.uplift.fleet.rollout.RolloutPrecedence], and in which their turn has come.
  public Map<String, String> outranked(RolloutRow mine, List<String> devices, Instant now) {
    return database.withHandle(handle -> {
      List<RolloutRow> rivals =
          rivals(handle, mine).stream()
              .filter(other -> other.rank().comesBefore(mine.rank()))
              .sorted(Comparator.comparing(RolloutRow::rank))
              .toList();
      var first = new LinkedHashMap<String, String>();
      for (RolloutRow rival : rivals) {
        var table = new TargetStatements(handle, rival.id());
        for (TargetRow target : table.findAll(devices)) {
          if (isDue(target, rival, now)) {
            first.putIfAbsent(target.device(), rival.id().name());
          }
        }
      }
      return first;
    });
  }

  private static boolean isDue(TargetRow target, RolloutRow rival, Instant now) {
    return target.state() == TargetState.PENDING
        && target.queuePosition().wave() <= rival.currentWave()
        && target.notBefore().filter(now::isBefore).isEmpty();
  }

  private static List<RolloutRow> rivals(Handle handle, RolloutRow mine) {
    return RolloutStatements.bind(
            handle.createQuery(
                """
                SELECT * FROM rollout
                WHERE state = 'running' AND tenant = :tenant AND id <> :rollout\
                """),
            mine.id())
        .map(RolloutStatements.ROW)
        .list();
  }

  public Optional<TargetRow> find(RolloutId id, String device) {
    return database.withHandle(handle -> new TargetStatements(handle, id).find(device));
  }
}
