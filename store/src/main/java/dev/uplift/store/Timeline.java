package dev.uplift.store;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/// Commands as people read them.
final class Timeline {
  private Timeline() {}

  static List<TimelineEntry> of(Handle handle, String tenant, String upgrade) {
    Map<String, List<TimelineEntry.Late>> late = lateOfUpgrade(handle, tenant, upgrade);
    return handle
        .createQuery(
            """
            SELECT tenant, id, upgrade, host, step, generation, epoch,
              body IS NULL AS withdrawn, cancelled_by, outcome,
              progress, sends, minted_at, published_at, accepted_at, settled_at
            FROM command WHERE tenant = :tenant AND upgrade = :upgrade
            ORDER BY tenant, upgrade, minted_at, epoch, host, step, generation\
            """)
        .bind("tenant", tenant)
        .bind("upgrade", upgrade)
        .map(Columns.as(row -> read(row, late)))
        .list();
  }

  /// What was said after the first outcome of a command.
  static List<TimelineEntry.Late> late(Handle handle, String tenant, String command) {
    return handle
        .createQuery(
            """
            SELECT outcome, said_at FROM late_outcome
            WHERE tenant = :tenant AND command = :command ORDER BY number\
            """)
        .bind("tenant", tenant)
        .bind("command", command)
        .map(Columns.as(Timeline::readLate))
        .list();
  }

  private static Map<String, List<TimelineEntry.Late>> lateOfUpgrade(
      Handle handle, String tenant, String upgrade) {
    var late = new HashMap<String, List<TimelineEntry.Late>>();
    handle
        .createQuery(
            """
            SELECT late.command, late.outcome, late.said_at FROM command
            JOIN late_outcome late ON late.tenant = command.tenant AND late.command = command.id
            WHERE command.tenant = :tenant AND command.upgrade = :upgrade
            ORDER BY late.command, late.number\
            """)
        .bind("tenant", tenant)
        .bind("upgrade", upgrade)
        .map(Columns.as(row -> Map.entry(row.text("command"), readLate(row))))
        .forEach(said ->
            late.computeIfAbsent(said.getKey(), _ -> new ArrayList<>()).add(said.getValue()));
    return late;
  }

  private static TimelineEntry.Late readLate(Columns row) throws SQLException {
    return new TimelineEntry.Late(row.text("outcome"), row.time("said_at"));
  }

  private static TimelineEntry read(Columns row, Map<String, List<TimelineEntry.Late>> late)
      throws SQLException {
    return new TimelineEntry(
        CommandTable.readKey(row),
        row.text("id"),
        row.number("epoch"),
        row.flag("withdrawn"),
        row.maybeText("cancelled_by"),
        row.maybeText("outcome"),
        row.maybeText("progress"),
        CommandTable.readTimes(row),
        late.getOrDefault(row.text("id"), List.of()));
  }
}
