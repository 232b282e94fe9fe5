package dev.uplift.store.rollout;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.RowReader;
import dev.uplift.store.rollout.TargetRow.QueuePosition;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.Update;

/// The statements that classes about devices in rollouts share, within one transaction.
final class TargetStatements {
  static final RowMapper<TargetRow> ROW = RowReader.mapper(TargetStatements::read);

  private final Handle handle;
  private final RolloutId id;

  TargetStatements(Handle handle, RolloutId id) {
    this.handle = handle;
    this.id = id;
  }

  Optional<TargetRow> find(String device) {
    return RolloutStatements.bind(
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
  List<TargetRow> listInState(TargetState state) {
    return RolloutStatements.bind(
            handle.createQuery(
                """
                SELECT * FROM rollout_target
                WHERE tenant = :tenant AND rollout = :rollout AND state = :state
                ORDER BY tenant, rollout, state, wave, position\
                """),
            id)
        .bind("state", EnumCodec.encode(state))
        .map(ROW)
        .list();
  }

  /// Those of them that take part, in any order.
  List<TargetRow> findAll(Collection<String> devices) {
    var found = new ArrayList<TargetRow>(devices.size());
    devices.forEach(device -> find(device).ifPresent(found::add));
    return found;
  }

  /// Whether the device was in that state and is as `set` says now.
  boolean transition(String device, TargetState from, TargetState next, String set) {
    return transitionStatement(from, next, set + " WHERE device = :device").bind("device", device).execute() > 0;
  }

  /// A statement that moves devices from one state to the next.
  ///
  /// @param setWhere what else is set, beginning with a comma or empty, `WHERE`, and a condition
  Update transitionStatement(TargetState from, TargetState next, String setWhere) {
    if (!from.canBecome(next)) {
      throw new IllegalArgumentException(from + " never becomes " + next);
    }
    return RolloutStatements.bind(
            handle.createUpdate(
                "UPDATE rollout_target SET state = :next"
                    + setWhere
                    + " AND tenant = :tenant AND rollout = :rollout AND state = :from"),
            id)
        .bind("from", EnumCodec.encode(from))
        .bind("next", EnumCodec.encode(next));
  }

  private static TargetRow read(RowReader row) throws SQLException {
    return new TargetRow(
        row.text("device"),
        new QueuePosition(row.intValue("wave"), row.longValue("position")),
        row.enumValue("state", TargetState.class),
        row.booleanValue("prepare_ahead"),
        row.intValue("attempt"),
        row.optionalText("upgrade"),
        row.optionalEnum("result", TargetResult.class),
        row.optionalLong("result_number"),
        row.booleanValue("changed"),
        row.optionalText("error_code").isEmpty() ? Optional.empty() : Optional.of(readError(row)),
        row.optionalInstant("started_at"),
        row.optionalInstant("ended_at"),
        row.optionalInstant("not_before"),
        row.optionalText("revert_upgrade"),
        row.optionalEnum("revert_outcome", Outcome.class));
  }

  private static TargetError readError(RowReader row) throws SQLException {
    return new TargetError(row.text("error_code"), row.text("error_class"), row.text("error_text"));
  }
}
