package dev.uplift.cli.rollout;

import dev.uplift.cli.rollout.RolloutResponse.Wave;
import dev.uplift.cli.text.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Formats rollouts as tables and pages.
public final class RolloutFormatter {
  private RolloutFormatter() {}

  public static String list(JsonNode rollouts) {
    Table table = new Table("ROLLOUT", "RELEASE", "STATE", "WAVE", "CREATED", "BY", "WAITING FOR");
    for (JsonNode json : rollouts) {
      RolloutResponse rollout = RolloutResponse.of(json);
      table.addRow(
          rollout.id(),
          rollout.release(),
          rollout.stateOrOutcome(),
          "%d of %d".formatted(rollout.wave(), rollout.waveCount()),
          json.path("created_at").asString(""),
          json.path("created_by").asString(""),
          rollout.waitReason());
    }
    return table.toString();
  }

  /// Formats one rollout with all details.
  public static String details(JsonNode json) {
    RolloutResponse rollout = RolloutResponse.of(json);
    List<String> parts = new ArrayList<>();
    parts.add(header(json, rollout).toString());
    parts.add(waves(rollout).toString());
    if (!rollout.waitReason().isEmpty()) {
      parts.add("waiting: " + rollout.waitReason());
    }
    JsonNode last = json.path("last_decision");
    if (last.isObject()) {
      parts.add("last decision: " + RolloutEventLines.decisionLine(last));
    }
    return String.join("\n\n", parts);
  }

  private static Table waves(RolloutResponse rollout) {
    Table waves = new Table("WAVE", "TITLE", "STATE", "DEVICES", "SUCCEEDED", "FAILED", "RUNNING");
    rollout.waves().forEach(wave -> addWaveRow(waves, wave));
    return waves;
  }

  /// Formats a list of waves.
  public static String waves(JsonNode list) {
    Table waves =
        new Table(
            "WAVE", "TITLE", "STATE", "DEVICES", "SUCCEEDED", "FAILED", "RUNNING", "APPROVED BY");
    for (JsonNode wave : list) {
      addWaveRow(waves, Wave.of(wave), wave.path("approval").path("actor").asString(""));
    }
    return waves.toString();
  }

  private static void addWaveRow(Table waves, Wave wave, String... more) {
    List<String> cells =
        new ArrayList<>(
            List.of(
                Integer.toString(wave.number()),
                wave.title(),
                wave.state(),
                Integer.toString(wave.counts().devices()),
                Integer.toString(wave.counts().succeeded()),
                Integer.toString(wave.counts().failed()),
                Integer.toString(wave.counts().inProgress())));
    cells.addAll(List.of(more));
    waves.addRow(cells.toArray(String[]::new));
  }

  /// Formats limits, thresholds and retries.
  public static String rules(JsonNode plan) {
    Table table = new Table("RULE", "VALUE");
    for (String group : List.of("limits", "thresholds", "retries")) {
      plan.path(group)
          .properties()
          .forEach(rule ->
              table.addRow(
                  group + "." + rule.getKey(),
                  rule.getValue().isNull() ? "no limit" : cellText(rule.getValue())));
    }
    return table.toString();
  }

  private static String cellText(JsonNode json) {
    return json.isString() ? json.asString("") : json.toString();
  }

  private static Table header(JsonNode json, RolloutResponse rollout) {
    Table head = new Table("ROLLOUT", rollout.id());
    head.addRow("title", rollout.title());
    head.addRow("release", rollout.release());
    head.addRow("state", rollout.stateOrOutcome());
    head.addRow("devices", rollout.counts().summary());
    head.addRow("selection", json.path("plan").path("selection").asString(""));
    head.addRow("created", json.path("created_at").asString(""));
    head.addRow("by", json.path("created_by").asString(""));
    head.addRow("ended", json.path("ended_at").asString(""));
    head.addRow("paused by", json.path("paused_by").asString(""));
    head.addRow("aborted by", json.path("aborted_by").asString(""));
    head.addRow("Temporal", json.path("temporal_ui").asString(""));
    return head;
  }

  /// Formats the result of a validation.
  public static String preview(JsonNode json) {
    List<String> parts = new ArrayList<>();
    parts.add(
        "%d devices; the first may start %s%s"
            .formatted(
                json.path("devices").asInt(0),
                json.path("first_start_at").asString(""),
                json.path("last_window_opens_at")
                    .asStringOpt()
                    .map(last -> ", the last window opens " + last)
                    .orElse("")));
    Table waves = new Table("WAVE", "TITLE", "DEVICES", "FIRST DEVICES");
    for (JsonNode wave : json.path("waves")) {
      waves.addRow(
          Integer.toString(wave.path("number").asInt(0)),
          wave.path("title").asString(""),
          Integer.toString(wave.path("devices").asInt(0)),
          joinNames(wave.path("sample")));
    }
    parts.add(waves.toString());
    if (!json.path("excluded_devices").isEmpty()) {
      parts.add(
          "excluded: "
              + json.path("excluded_by_reason").properties().stream()
                  .map(reason -> reason.getKey() + " " + reason.getValue())
                  .collect(Collectors.joining(", ")));
      parts.add(excluded(json.path("excluded_devices")));
    }
    json.path("warnings").forEach(warning -> parts.add("warning: " + warning.asString("")));
    return String.join("\n\n", parts);
  }

  public static String excluded(JsonNode devices) {
    Table table = new Table("EXCLUDED", "REASON", "MESSAGE");
    for (JsonNode one : devices) {
      table.addRow(
          one.path("device").asString(""),
          one.path("reason").asString(""),
          one.path("message").asString(""));
    }
    return table.toString();
  }

  public static String devices(JsonNode devices) {
    Table table = new Table("DEVICE", "WAVE", "STATE", "OUTCOME", "UPGRADE", "FIRST ERROR");
    for (JsonNode one : devices) {
      JsonNode error = one.path("error");
      table.addRow(
          one.path("device").asString(""),
          Integer.toString(one.path("wave").asInt(0)),
          one.path("state").asString(""),
          one.path("outcome").asString(""),
          one.path("upgrade").asString(""),
          error.isObject()
              ? error.path("code").asString("") + ": " + error.path("message").asString("")
              : "");
    }
    return table.toString();
  }

  public static String failures(JsonNode groups) {
    Table table = new Table("CODE", "DEVICES", "SOME DEVICES", "EXAMPLE");
    for (JsonNode group : groups) {
      table.addRow(
          group.path("code").asString(""),
          Integer.toString(group.path("devices").asInt(0)),
          joinNames(group.path("example_devices")),
          group.path("example_message").asString(""));
    }
    return table.toString();
  }

  public static String decisions(JsonNode decisions) {
    Table table = new Table("AT", "WAVE", "DECISION", "BY", "WHY");
    for (JsonNode decision : decisions) {
      table.addRow(
          decision.path("decided_at").asString(""),
          Integer.toString(decision.path("wave").asInt(0)),
          decision.path("decision").asString(""),
          decision.path("actor").asString(""),
          decision.path("message").asString(""));
    }
    return table.toString();
  }

  private static String joinNames(JsonNode list) {
    return String.join(",", list.valueStream().map(name -> name.asString("")).toList());
  }
}
