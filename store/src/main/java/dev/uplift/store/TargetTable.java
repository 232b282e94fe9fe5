package dev.uplift.store;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Verdict;
import dev.uplift.store.TargetRow.Turn;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.Update;

/// The statements that classes about devices in rollouts share, within one transaction.
final class TargetTable {
  static final RowMapper<TargetRow> ROW = Columns.as(TargetTable::read);

  private final Handle handle;
  private final RolloutId id;

  TargetTable(Handle handle, RolloutId id) {
    this.handle = handle;
    this.id = id;
  }

  Optional<TargetRow> find(String device) {
    return RolloutTable.bind(
            handle.createQuery(
                """
                SELECT * FROM rollout_target
                WHERE tenant = :tenant AND rollout = :rollout AND device = :device\
                """),
            id)
        .bind("device", device)
        .map(ROW)
        .findOne();
  }

  /// In the order of their turns. Each state is asked for by itself, for a list of them H2 reads no
  /// index.
  List<TargetRow> in(TargetState state) {
    return RolloutTable.bind(
            handle.createQuery(
                """
                SELECT * FROM rollout_target
                WHERE tenant = :tenant AND rollout = :rollout AND state = :state
                ORDER BY tenant, rollout, state, wave, position\
                """),
            id)
        .bind("state", Words.write(state))
        .map(ROW)
        .list();
  }

  /// Those of them that take part, in any order.
  List<TargetRow> all(Collection<String> devices) {
    var found = new ArrayList<TargetRow>(devices.size());
    devices.forEach(device -> find(device).ifPresent(found::add));
    return found;
  }

  /// Whether the device was in that state and is as `set` says now.
  boolean move(String device, TargetState from, TargetState next, String set) {
    return moving(from, next, set + " WHERE device = :device").bind("device", device).execute() > 0;
  }

  /// A statement that moves devices from one state to the next.
  ///
  /// @param setWhere what else is set, beginning with a comma or empty, `WHERE`, and a condition
  Update moving(TargetState from, TargetState next, String setWhere) {
    if (!from.mayBecome(next)) {
      throw new IllegalArgumentException(from + " never becomes " + next);
    }
    return RolloutTable.bind(
            handle.createUpdate(
                "UPDATE rollout_target SET state = :next"
                    + setWhere
                    + " AND tenant = :tenant AND rollout = :rollout AND state = :from"),
            id)
        .bind("from", Words.write(from))
        .bind("next", Words.write(next));
  }

  private static TargetRow read(Columns row) throws SQLException {
    return new TargetRow(
        row.text("device"),
        new Turn(row.count("wave"), row.number("position")),
        row.word("state", TargetState.class),
        row.flag("ahead"),
        row.count("attempt"),
        row.maybeText("upgrade"),
        row.maybeWord("verdict", Verdict.class),
        row.maybeNumber("verdict_number"),
        row.flag("touched"),
        row.maybeText("error_code").isEmpty() ? Optional.empty() : Optional.of(readError(row)),
        row.maybeTime("started_at"),
        row.maybeTime("ended_at"),
        row.maybeTime("not_before"),
        row.maybeText("revert_upgrade"),
        row.maybeWord("revert_outcome", Outcome.class));
  }

  private static TargetError readError(Columns row) throws SQLException {
    return new TargetError(row.text("error_code"), row.text("error_class"), row.text("error_text"));
  }
}
