package dev.uplift.cli.window;

import dev.uplift.cli.option.ConfirmationOption;
import dev.uplift.cli.option.ConnectionOptions;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.IfMatchOption;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Table;
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
      "Windows of a single device: `device put`, `device update`. The result of both: `device"
          + " windows`."
    })
public final class WindowCommands {
  private static final String LABEL = "NAME=VALUE";

  @Command(name = "list", description = "List all labels with windows.")
  int list(@Mixin ConnectionOptions connectionOptions, @Mixin OutputOptions outputOptions) {
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(
          restClient.getAll("label-windows", Map.of()), WindowCommands::table);
    }
    return 0;
  }

  @Command(name = "show", description = "Show the windows of one value of a label.")
  int show(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = LABEL) String label) {
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(restClient.get(path(label)), WindowCommands::singleRow);
    }
    return 0;
  }

  @Command(
      name = "put",
      sortOptions = false,
      description = "Set the windows of all devices with this value of the label.")
  int put(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = LABEL) String label,
      @Mixin WindowOptions windows,
      @Option(names = "--new", description = "Only if it has no windows yet.") boolean isNew,
      @Mixin IfMatchOption ifMatchOption,
      @Mixin DryRunOption dryRunOption) {
    ObjectNode body = RestClient.JSON.createObjectNode();
    body.set(
        "windows",
        windows
            .toJson()
            .orElseThrow(() ->
                CliException.usageError(
                    "needs --window or --windows; to have no windows: delete")));
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(
          restClient.send(
              "PUT", path(label) + dryRunOption.query(), body, ifMatchOption.headers(isNew)),
          WindowCommands::singleRow);
    }
    return 0;
  }

  @Command(name = "delete", description = "Remove the windows of this value of a label.")
  int delete(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = LABEL) String label,
      @Mixin IfMatchOption ifMatchOption,
      @Mixin DryRunOption dryRunOption,
      @Mixin ConfirmationOption confirmationOption) {
    confirmationOption.confirm(
        "This permits upgrades of devices with %s at other times".formatted(label), dryRunOption);
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(
          restClient.delete(path(label) + dryRunOption.query(), ifMatchOption.headers()),
          _ -> dryRunOption.resultText(label + " has no windows"));
    }
    return 0;
  }

  private static String path(String label) {
    int equals = label.indexOf('=');
    if (equals < 1) {
      throw CliException.usageError("\"%s\": expected %s, such as ring=1".formatted(label, LABEL));
    }
    return "label-windows/%s/%s"
        .formatted(
            RestClient.pathSegment(label.substring(0, equals)),
            RestClient.pathSegment(label.substring(equals + 1)));
  }

  private static String singleRow(JsonNode windows) {
    return table(RestClient.JSON.createArrayNode().add(windows));
  }

  private static String table(JsonNode labels) {
    Table table = new Table("LABEL", "WINDOWS", "VERSION", "CHANGED", "BY");
    for (JsonNode one : labels) {
      table.addRow(
          one.path("label").asString("") + "=" + one.path("value").asString(""),
          WindowOptions.describe(one.path("windows")),
          one.path("version").asString(""),
          one.path("changed_at").asString(""),
          one.path("changed_by").asString(""));
    }
    return table.toString();
  }
}
