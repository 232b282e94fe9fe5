package dev.uplift.store.command;

import dev.uplift.store.RowReader;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/// Commands as people read them.
final class TimelineQueries {
  private TimelineQueries() {}

  static List<TimelineEntry> ofUpgrade(Handle handle, String tenant, String upgrade) {
    Map<String, List<TimelineEntry.LateOutcome>> late = lateOutcomesOfUpgrade(handle, tenant, upgrade);
    return handle
        .createQuery(
            """
            SELECT tenant, id, upgrade, host, step, generation, epoch,
              body IS NULL AS withdrawn, cancelled_by, outcome,
              progress, publish_count, created_at, published_at, accepted_at, closed_at
            FROM command WHERE tenant = :tenant AND upgrade = :upgrade
            ORDER BY tenant, upgrade, created_at, epoch, host, step, generation\
            """)
        .bind("tenant", tenant)
        .bind("upgrade", upgrade)
        .map(RowReader.mapper(row -> read(row, late)))
        .list();
  }

  /// What was said after the first outcome of a command.
  static List<TimelineEntry.LateOutcome> lateOutcomesOf(Handle handle, String tenant, String command) {
    return handle
        .createQuery(
            """
            SELECT outcome, received_at FROM late_outcome
            WHERE tenant = :tenant AND command = :command ORDER BY number\
            """)
        .bind("tenant", tenant)
        .bind("command", command)
        .map(RowReader.mapper(TimelineQueries::readLateOutcome))
        .list();
  }

  private static Map<String, List<TimelineEntry.LateOutcome>> lateOutcomesOfUpgrade(
      Handle handle, String tenant, String upgrade) {
    var late = new HashMap<String, List<TimelineEntry.LateOutcome>>();
    handle
        .createQuery(
            """
            SELECT late.command, late.outcome, late.received_at FROM command
            JOIN late_outcome late ON late.tenant = command.tenant AND late.command = command.id
            WHERE command.tenant = :tenant AND command.upgrade = :upgrade
            ORDER BY late.command, late.number\
            """)
        .bind("tenant", tenant)
        .bind("upgrade", upgrade)
        .map(RowReader.mapper(row -> Map.entry(row.text("command"), readLateOutcome(row))))
        .forEach(said ->
            late.computeIfAbsent(said.getKey(), _ -> new ArrayList<>()).add(said.getValue()));
    return late;
  }

  private static TimelineEntry.LateOutcome readLateOutcome(RowReader row) throws SQLException {
    return new TimelineEntry.LateOutcome(row.text("outcome"), row.instant("received_at"));
  }

  private static TimelineEntry read(RowReader row, Map<String, List<TimelineEntry.LateOutcome>> late)
      throws SQLException {
    return new TimelineEntry(
        CommandStatements.readKey(row),
        row.text("id"),
        row.longValue("epoch"),
        row.booleanValue("withdrawn"),
        row.optionalText("cancelled_by"),
        row.optionalText("outcome"),
        row.optionalText("progress"),
        CommandStatements.readTimes(row),
        late.getOrDefault(row.text("id"), List.of()));
  }
}
