package dev.uplift.cli.policy;

import dev.uplift.cli.rollout.RolloutFormatter;
import dev.uplift.cli.text.JsonTable;
import dev.uplift.cli.text.Table;
import dev.uplift.cli.text.TextFormat;
import dev.uplift.cli.window.WindowOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Formats policies as tables and pages.
final class PolicyFormatter {
  static final JsonTable LIST =
      new JsonTable()
          .column("NAME", "name")
          .column("PACKAGE", "package")
          .column("TARGET", one -> target(one.path("policy").path("target")))
          .column("ENABLED", one -> enabled(one) ? "yes" : "no")
          .number("PRIORITY", "priority")
          .column("SELECTION", "/policy/selection")
          .column("CHANGED", "changed_at")
          .column("BY", "changed_by");

  static final JsonTable DEVICES =
      new JsonTable()
          .column("DEVICE", "device")
          .column("STATE", "state")
          .column("REASON", "reason")
          .column("MESSAGE", "message");

  static final JsonTable OF_DEVICE =
      new JsonTable()
          .column("POLICY", "policy")
          .column("PACKAGE", "package")
          .number("PRIORITY", "priority")
          .column("DECIDES", one -> one.path("decides").asBoolean(false) ? "yes" : "no")
          .column("STATE", "state")
          .column("REASON", "reason")
          .column("MESSAGE", "message");

  private static final JsonTable ROLLOUTS =
      new JsonTable()
          .column("ROLLOUT", "id")
          .column("VERSION", "version")
          .column("STATE", one -> text(one, one.has("outcome") ? "outcome" : "state"))
          .column("CREATED", "created_at")
          .column("ENDED", "ended_at");

  /// Those of a rollout whose plan has none.
  private static final String USUAL_WAVES = "the usual ones: one device, a tenth, the rest";

  private PolicyFormatter() {}

  /// Formats all that a policy asks for.
  static String details(JsonNode row) {
    JsonNode policy = row.path("policy");
    Table table = new Table("POLICY", text(row, "name"));
    addIfPresent(table, "title", text(row, "title"));
    addIfPresent(table, "description", text(row, "description"));
    table.addRow("package", text(row, "package"));
    table.addRow("target", target(policy.path("target")));
    table.addRow("enabled", enabled(row) ? "yes, since " + time(row, "enabled_at") : "no");
    table.addRow("selection", text(policy, "selection"));
    table.addRow("fallback", policy.path("fallback").asBoolean(false) ? "yes" : "no");
    table.addRow("priority", row.path("priority").asString(""));
    table.addRow("begins", beginning(policy));
    table.addRow("unknown version", text(policy, "unknown_version"));
    JsonNode rollout = policy.path("rollout");
    table.addRow("waves", rollout.path("waves").isEmpty() ? USUAL_WAVES : RolloutFormatter.waves(rollout));
    addIfPresent(table, "windows", WindowOptions.describe(rollout.path("windows")));
    table.addRow("changed", time(row, "changed_at") + " by " + text(row, "changed_by"));
    table.addRow("version", row.path("version").asString(""));
    return table + "\n\n" + RolloutFormatter.rules(rollout);
  }

  private static void addIfPresent(Table table, String name, String value) {
    if (!value.isEmpty()) {
      table.addRow(name, value);
    }
  }

  private static String beginning(JsonNode policy) {
    List<String> parts = new ArrayList<>();
    if (policy.has("cron")) {
      parts.add("in runs, at %s %s".formatted(text(policy, "cron"), text(policy, "cron_zone")));
    } else {
      parts.add(policy.path("each_window").asBoolean(false) ? "when a window opens" : "whenever something is due");
    }
    if (policy.has("start_at")) {
      parts.add("not before " + time(policy, "start_at"));
    }
    int spread = policy.path("spread_over_seconds").asInt(0);
    if (spread > 0) {
      parts.add("spread over %d s".formatted(spread));
    }
    return String.join(", ", parts);
  }

  /// Formats how a policy stands, with the rollouts that it has started.
  static String status(JsonNode json) {
    StringBuilder text = new StringBuilder();
    text.append(enabled(json) ? "enabled" : "disabled");
    text.append(json.path("complete").asBoolean(false) ? ", complete" : ", not complete");
    if (json.has("complete_since")) {
      text.append(" since ").append(time(json, "complete_since"));
    }
    text.append('\n').append(summary(json));
    if (!json.path("not_satisfied").isEmpty()) {
      text.append("\n\n").append(DEVICES.apply(json.path("not_satisfied")));
    }
    if (!json.path("rollouts").isEmpty()) {
      text.append("\n\n").append(ROLLOUTS.apply(json.path("rollouts")));
    }
    return text.toString();
  }

  /// Formats the answer to a change: the policy, or the preview of a dry run.
  static String changed(JsonNode json) {
    return json.has("due") ? preview(json) : LIST.apply(json);
  }

  private static String preview(JsonNode json) {
    StringBuilder text = new StringBuilder("would begin with " + devices(json.path("due").asInt(0)) + "\n");
    text.append(summary(json));
    for (JsonNode wave : json.path("waves")) {
      text.append(
          "\nwave %d, %s: %s, %s"
              .formatted(
                  wave.path("number").asInt(0),
                  text(wave, "title"),
                  devices(wave.path("devices").asInt(0)),
                  JsonTable.join(wave.path("sample"))));
    }
    json.path("warnings").forEach(warning -> text.append("\nwarning: ").append(warning.asString("")));
    return text.toString();
  }

  private static String summary(JsonNode json) {
    StringBuilder text = new StringBuilder();
    text.append(json.has("version") ? "version " + text(json, "version") : text(json, "missing"));
    text.append(", ").append(devices(json.path("devices").asInt(0)));
    String counts =
        json.path("counts").properties().stream()
            .filter(count -> count.getValue().asInt(0) > 0)
            .map(PolicyFormatter::count)
            .collect(Collectors.joining(", "));
    text.append(counts.isEmpty() ? "" : ": " + counts);
    if (!json.path("overruled_by").isEmpty()) {
      text.append("\noverruled by ").append(JsonTable.join(json.path("overruled_by")));
    }
    if (!json.path("overrules").isEmpty()) {
      text.append("\noverrules ").append(JsonTable.join(json.path("overrules")));
    }
    return text.toString();
  }

  private static String count(Map.Entry<String, JsonNode> count) {
    return count.getValue().asInt(0) + " " + count.getKey();
  }

  private static String devices(int number) {
    return TextFormat.count(number, "device");
  }

  private static String target(JsonNode target) {
    if (target.path("offered").asBoolean(false)) {
      return "what is offered";
    }
    if (target.has("version")) {
      return text(target, "version");
    }
    return target.has("at_least") ? ">= " + text(target, "at_least") : "channel " + text(target, "channel");
  }

  private static boolean enabled(JsonNode json) {
    return json.path("enabled").asBoolean(false);
  }

  private static String time(JsonNode json, String field) {
    return TextFormat.time(text(json, field));
  }

  private static String text(JsonNode json, String field) {
    return json.path(field).asString("");
  }
}
