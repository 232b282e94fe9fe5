package dev.uplift.cli.rollout;

import dev.uplift.cli.text.JsonTable;
import dev.uplift.cli.text.Table;
import dev.uplift.cli.text.TextFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Formats rollouts as tables and pages.
public final class RolloutFormatter {
  static final JsonTable LIST =
      new JsonTable()
          .column("ROLLOUT", "id")
          .column("RELEASE", json -> RolloutResponse.of(json).release())
          .column("STATE", json -> RolloutResponse.of(json).stateOrOutcome())
          .column(
              "WAVE",
              json -> "%d of %d".formatted(json.path("current_wave").asInt(0), json.path("wave_count").asInt(0)))
          .column("CREATED", "created_at")
          .column("BY", "created_by")
          .column("WAITING FOR", "/waiting_for/message");

  static final JsonTable EXCLUDED =
      new JsonTable().column("EXCLUDED", "device").column("REASON", "reason").column("MESSAGE", "message");

  static final JsonTable DEVICES =
      new JsonTable()
          .column("DEVICE", "device")
          .number("WAVE", "wave")
          .column("STATE", "state")
          .column("OFFLINE SINCE", "offline_since")
          .column("OUTCOME", "outcome")
          .column("UPGRADE", "upgrade")
          .column("FIRST ERROR", device -> error(device.path("error")));

  public static final JsonTable FAILURES =
      new JsonTable()
          .column("CODE", "code")
          .number("DEVICES", "devices")
          .column("SOME DEVICES", group -> JsonTable.join(group.path("example_devices")))
          .column("EXAMPLE", "example_message");

  static final JsonTable DECISIONS =
      new JsonTable()
          .column("AT", "decided_at")
          .number("WAVE", "wave")
          .column("DECISION", "decision")
          .column("BY", "actor")
          .column("WHY", "message");

  static final JsonTable WAVES = waves().column("APPROVED BY", "/approval/actor");

  private static final JsonTable WAVES_IN_DETAILS = waves();

  private static final JsonTable WAVE_PREVIEW =
      new JsonTable()
          .number("WAVE", "number")
          .column("TITLE", "title")
          .number("DEVICES", "devices")
          .column("FIRST DEVICES", wave -> JsonTable.join(wave.path("sample")));

  private RolloutFormatter() {}

  private static JsonTable waves() {
    return new JsonTable()
        .number("WAVE", "number")
        .column("TITLE", "title")
        .column("STATE", "state")
        .number("DEVICES", "/counts/devices")
        .number("SUCCEEDED", "/counts/succeeded")
        .number("FAILED", "/counts/failed")
        .number("RUNNING", "/counts/in_work");
  }

  private static String error(JsonNode error) {
    return error.isObject() ? error.path("code").asString("") + ": " + error.path("message").asString("") : "";
  }

  /// Formats one rollout with all details.
  public static String details(JsonNode json) {
    RolloutResponse rollout = RolloutResponse.of(json);
    List<String> parts = new ArrayList<>();
    parts.add(header(json, rollout).toString());
    parts.add(WAVES_IN_DETAILS.apply(json.path("waves")));
    if (!rollout.waitReason().isEmpty()) {
      parts.add("waiting: " + rollout.waitReason());
    }
    JsonNode last = json.path("last_decision");
    if (last.isObject()) {
      parts.add("last decision: " + RolloutEventLines.decisionLine(last));
    }
    return String.join("\n\n", parts);
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
    head.addRow("revision", json.path("revision").asString(""));
    head.addRow("ended", json.path("ended_at").asString(""));
    head.addRow("paused by", json.path("paused_by").asString(""));
    head.addRow("aborted by", json.path("aborted_by").asString(""));
    if (json.has("failing_workflow")) {
      head.addRow("stopped", json.path("failing_workflow").asString(""));
    }
    head.addRow("Temporal", json.path("temporal_ui").asString(""));
    return head;
  }

  /// Formats the waves of a plan as the option `--wave` takes them, separated by semicolons.
  public static String waves(JsonNode plan) {
    return plan.path("waves").valueStream().map(WaveParser::format).collect(Collectors.joining("; "));
  }

  /// Formats limits, thresholds and retries.
  public static String rules(JsonNode plan) {
    return rulesTable(plan).toString();
  }

  private static Table rulesTable(JsonNode plan) {
    Table table = new Table("RULE", "VALUE");
    for (String group : RolloutRuleOptions.GROUPS) {
      plan.path(group)
          .properties()
          .forEach(rule ->
              table.addRow(
                  group + "." + rule.getKey(), rule.getValue().isNull() ? "no limit" : cellText(rule.getValue())));
    }
    return table;
  }

  /// Formats the rules and time-outs that would be in force.
  private static String rulesInForce(JsonNode preview) {
    Table table = rulesTable(preview.path("plan"));
    preview
        .path("step_timeouts")
        .properties()
        .forEach(time -> table.addRow("step_timeouts." + time.getKey(), cellText(time.getValue())));
    return table.toString();
  }

  private static String cellText(JsonNode json) {
    return json.isString() ? json.asString("") : json.toString();
  }

  /// Formats the result of a validation.
  static String preview(JsonNode json) {
    List<String> parts = new ArrayList<>();
    parts.add(
        "%s; the first may start %s%s"
            .formatted(
                TextFormat.count(json.path("devices").asInt(0), "device"),
                TextFormat.time(json.path("first_start_at").asString("")),
                json.path("last_window_opens_at")
                    .asStringOpt()
                    .map(last -> ", the last window opens " + TextFormat.time(last))
                    .orElse("")));
    parts.add(WAVE_PREVIEW.apply(json.path("waves")));
    if (!json.path("excluded_devices").isEmpty()) {
      parts.add(
          "excluded: "
              + json.path("excluded_by_reason").properties().stream()
                  .map(reason -> reason.getKey() + " " + reason.getValue())
                  .collect(Collectors.joining(", ")));
      parts.add(EXCLUDED.apply(json.path("excluded_devices")));
    }
    json.path("warnings").forEach(warning -> parts.add("warning: " + warning.asString("")));
    if (json.path("plan").isObject()) {
      parts.add(rulesInForce(json));
    }
    return String.join("\n\n", parts);
  }
}
