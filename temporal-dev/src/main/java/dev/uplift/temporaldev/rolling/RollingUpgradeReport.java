package dev.uplift.temporaldev.rolling;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Table;
import dev.uplift.temporaldev.stack.StackProcess.Stop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The replacements, and the disturbances that they caused.
///
/// @param previous the earlier build
/// @param failedTasks workflow tasks that a server has failed, as its metrics say
/// @param problems a sentence for each thing that must not have happened
public record RollingUpgradeReport(
    RollingUpgradeOptions options,
    String previous,
    List<Replacement> replacements,
    long failedTasks,
    Duration duration,
    List<String> problems) {
  private static final int SHOWN = 20;

  /// A server that ended, and came back as the other build.
  ///
  /// @param inProgress upgrades that had begun and not ended when it was told to end
  /// @param stop its end
  /// @param duration of its end and of the start as the other build
  public record Replacement(String server, boolean toNew, int inProgress, Stop stop, Duration duration) {
    private String to() {
      return toNew ? "new" : "old";
    }

    private String ended() {
      return seconds(stop.duration()) + (stop.killed() ? ", killed" : "");
    }

    /// Returns a sentence for each thing that proves nothing or must not have happened.
    List<String> problems() {
      List<String> problems = new ArrayList<>();
      if (inProgress == 0) {
        problems.add("nothing was in progress when %s was replaced".formatted(server));
      }
      // How an earlier build ends cannot be mended here.
      if (!toNew && stop.killed()) {
        problems.add("%s did not end within %s of SIGTERM and was killed".formatted(server, seconds(stop.duration())));
      }
      return problems;
    }
  }

  private static String seconds(Duration duration) {
    return "%.1f s".formatted(duration.toMillis() / 1e3);
  }

  public List<String> lines() {
    Table table = new Table("SERVER", "TO", "IN PROGRESS", "ENDED IN", "TAKEN");
    for (Replacement each : replacements) {
      table.addRow(
          each.server(), each.to(), Integer.toString(each.inProgress()), each.ended(), seconds(each.duration()));
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add("old     %s".formatted(previous));
    lines.add(
        "work    %d upgrades, %d rollouts of %d devices, in %d s"
            .formatted(options.upgrades(), options.rollouts(), options.devices(), duration.toSeconds()));
    lines.add("failed workflow tasks  %d".formatted(failedTasks));
    lines.add("");
    problems.stream().limit(SHOWN).forEach(lines::add);
    if (problems.size() > SHOWN) {
      lines.add("and %d more".formatted(problems.size() - SHOWN));
    }
    lines.add(
        problems.isEmpty()
            ? "every device was upgraded once, and no workflow task failed"
            : "%d problems".formatted(problems.size()));
    return lines;
  }

  public ObjectNode toJson() {
    ObjectNode json = RestClient.JSON.createObjectNode();
    json.put("previous", previous).put("upgrades", options.upgrades());
    json.put("rollouts", options.rollouts()).put("devices", options.devices());
    json.put("seconds", duration.toSeconds()).put("failed_workflow_tasks", failedTasks);
    ArrayNode all = json.putArray("replacements");
    replacements.forEach(each ->
        all.addObject()
            .put("server", each.server())
            .put("to", each.to())
            .put("in_progress", each.inProgress())
            .put("stop_ms", each.stop().duration().toMillis())
            .put("killed", each.stop().killed())
            .put("ms", each.duration().toMillis()));
    ArrayNode sentences = json.putArray("problems");
    problems.forEach(sentences::add);
    return json;
  }
}
