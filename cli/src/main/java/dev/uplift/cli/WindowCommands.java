package dev.uplift.cli;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Table;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Maintenance windows of all devices with a value of a label.
@Command(
    name = "window",
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Maintenance windows of all devices with a value of a label.",
      "Those of a single device: `device put`, `device change`. What comes of both: `device windows`."
    })
final class WindowCommands {
  private static final String LABEL = "NAME=VALUE";

  @Command(name = "list", description = "All labels that have windows.")
  int list(@Mixin Connection connection, @Mixin Output output) {
    try (Rest rest = connection.open()) {
      output.show(rest.all("label-windows", Map.of()), WindowCommands::table);
    }
    return 0;
  }

  @Command(name = "show", description = "The windows of one value of a label.")
  int show(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = LABEL) String label) {
    try (Rest rest = connection.open()) {
      output.show(rest.get(path(label)), WindowCommands::one);
    }
    return 0;
  }

  @Command(
      name = "put",
      sortOptions = false,
      description = "Devices with this value of the label have these windows from now on.")
  int put(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = LABEL) String label,
      @Mixin WindowWishes windows,
      @Option(names = "--new", description = "Only if it has none yet.") boolean isNew,
      @Mixin Match match,
      @Mixin DryRun dryRun) {
    ObjectNode body = Rest.JSON.createObjectNode();
    body.set(
        "windows",
        windows
            .list()
            .orElseThrow(
                () -> CommandFailed.usage("needs --window or --windows; to have none: delete")));
    try (Rest rest = connection.open()) {
      output.show(
          rest.send("PUT", path(label) + dryRun.query(), body, headers(match, isNew)),
          WindowCommands::one);
    }
    return 0;
  }

  static Map<String, String> headers(Match match, boolean isNew) {
    Map<String, String> headers = new HashMap<>(match.headers());
    if (isNew) {
      headers.put("If-None-Match", "*");
    }
    return headers;
  }

  @Command(
      name = "delete",
      description = "Devices with this value of the label have no windows for it any more.")
  int delete(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = LABEL) String label,
      @Mixin Match match,
      @Mixin DryRun dryRun,
      @Mixin Confirmed confirmed) {
    confirmed.ask("This lets devices with %s be touched at other times".formatted(label), dryRun);
    try (Rest rest = connection.open()) {
      output.show(
          rest.delete(path(label) + dryRun.query(), match.headers()),
          _ -> dryRun.said(label + " has no windows"));
    }
    return 0;
  }

  private static String path(String label) {
    int equals = label.indexOf('=');
    if (equals < 1) {
      throw CommandFailed.usage("\"%s\": expected %s, such as ring=1".formatted(label, LABEL));
    }
    return "label-windows/%s/%s"
        .formatted(
            Rest.segment(label.substring(0, equals)), Rest.segment(label.substring(equals + 1)));
  }

  private static String one(JsonNode found) {
    return table(Rest.JSON.createArrayNode().add(found));
  }

  private static String table(JsonNode labels) {
    Table table = new Table("LABEL", "WINDOWS", "VERSION", "CHANGED", "BY");
    for (JsonNode one : labels) {
      table.row(
          one.path("label").asString("") + "=" + one.path("value").asString(""),
          WindowWishes.inWords(one.path("windows")),
          one.path("version").asString(""),
          one.path("changed_at").asString(""),
          one.path("changed_by").asString(""));
    }
    return table.toString();
  }
}
