package dev.uplift.cli.window;

import dev.uplift.cli.option.ChangeOptions;
import dev.uplift.cli.option.ConfirmationOption;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.JsonTable;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Maintenance windows of all devices with a value of a label.
@Command(
    name = "window",
    addMethodSubcommands = false,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Maintenance windows of all devices with a value of a label.",
      "Windows of a single device: `device put`, `device update`. The result of both: `device" + " windows`."
    })
public final class WindowCommands {
  private static final String LABEL = "NAME=VALUE";

  private static final JsonTable TABLE =
      new JsonTable()
          .column("LABEL", one -> one.path("label").asString("") + "=" + one.path("value").asString(""))
          .column("WINDOWS", one -> WindowOptions.describe(one.path("windows")))
          .column("VERSION", "version")
          .column("CHANGED", "changed_at")
          .column("BY", "changed_by");

  @Command(name = "list", description = "List all labels with windows.")
  int list(@Mixin ServerOptions server) {
    return server.printAll("label-windows", Map.of(), TABLE);
  }

  @Command(name = "show", description = "Show the windows of one value of a label.")
  int show(@Mixin ServerOptions server, @Parameters(paramLabel = LABEL) String label) {
    return server.print(rest -> rest.get(path(label)), TABLE);
  }

  @Command(
      name = "put",
      sortOptions = false,
      description = "Set the windows of all devices with this value of the label.")
  int put(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = LABEL) String label,
      @Mixin WindowOptions windows,
      @Option(names = "--new", description = "Only if it has no windows yet.") boolean isNew,
      @Mixin ChangeOptions change) {
    ArrayNode list =
        windows
            .toJson()
            .orElseThrow(() -> CliException.usageError("needs --window or --windows; to have no windows: delete"));
    ObjectNode body = new RequestFields().put("windows", list).json();
    return server.print(rest -> rest.send("PUT", path(label) + change.query(), body, change.headers(isNew)), TABLE);
  }

  @Command(name = "delete", description = "Remove the windows of this value of a label.")
  int delete(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = LABEL) String label,
      @Mixin ChangeOptions change,
      @Mixin ConfirmationOption confirmation) {
    confirmation.confirm("This permits upgrades of devices with %s at other times".formatted(label), change.dryRun());
    return server.print(
        rest -> rest.delete(path(label) + change.query(), change.headers()),
        change.result("the windows of " + label + " are removed"));
  }

  private static String path(String label) {
    int equals = label.indexOf('=');
    if (equals < 1) {
      throw CliException.usageError("\"%s\": expected %s, such as ring=1".formatted(label, LABEL));
    }
    return "label-windows/%s/%s"
        .formatted(
            RestClient.pathSegment(label.substring(0, equals)), RestClient.pathSegment(label.substring(equals + 1)));
  }
}
