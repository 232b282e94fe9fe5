package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Table;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// What Temporal costs without Uplift.
///
/// @param workflows that were run
/// @param temporalCpu CPU time of Temporal for all of them
/// @param historyEvents of each
record FloorFigures(int workflows, Duration temporalCpu, Percentiles historyEvents) implements BenchFigures {
  @Override
  public boolean isSuccessful() {
    return true;
  }

  /// Returns CPU time per workflow.
  double cpuMs() {
    return temporalCpu.toMillis() / (double) workflows;
  }

  @Override
  public ObjectNode toJson() {
    ObjectNode json = RestClient.JSON.createObjectNode();
    json.put("workflows", workflows);
    json.put("temporal_cpu_seconds_per_workflow", cpuMs() / 1000);
    historyEvents.putInto(json.putObject("history_events_per_workflow"));
    return json;
  }

  @Override
  public List<String> lines() {
    Table table = new Table("FLOOR", "");
    table.addRow("workflows", Integer.toString(workflows));
    table.addRow("Temporal's CPU ms per workflow", "%.1f".formatted(cpuMs()));
    table.addRow("history events", "%.1f (max %d)".formatted(historyEvents.mean(), historyEvents.max()));
    return table.lines();
  }
}
