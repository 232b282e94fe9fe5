package dev.uplift.cli;

import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Table;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/// The machines, as they last said what they run.
@Command(
    name = "host",
    synopsisSubcommandLabel = "COMMAND",
    description = "Shows what hosts last said of themselves, and when.")
final class HostCommands {
  @Command(name = "list", description = "All hosts.")
  int list(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin FilterWish filter,
      @Option(names = "--device", paramLabel = "DEVICE", defaultValue = "") String device) {
    Map<String, String> wanted = Map.of("device", device, "filter", filter.expression);
    try (Rest rest = connection.open()) {
      output.show(rest.all("hosts", wanted), HostCommands::table);
    }
    return 0;
  }

  @Command(name = "show", description = "One host.")
  int show(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "HOST") String host) {
    try (Rest rest = connection.open()) {
      output.show(
          rest.get("hosts/" + Rest.segment(host)),
          found -> table(Rest.JSON.createArrayNode().add(found)));
    }
    return 0;
  }

  private static String table(JsonNode hosts) {
    Table table = new Table("HOST", "DEVICE", "PRESENCE", "SEEN", "STATE", "VERSIONS");
    for (JsonNode host : hosts) {
      table.row(
          host.path("host").asString(""),
          host.path("device").asString(""),
          host.path("presence").asString(""),
          seen(host.path("seen_at").asString("")),
          host.path("state").asString(""),
          host.path("versions").properties().stream()
              .map(version -> version.getKey() + " " + version.getValue().asString(""))
              .collect(Collectors.joining(", ")));
    }
    return table.toString();
  }

  /// To the second: nobody reads more of it.
  private static String seen(String at) {
    return at.replaceFirst("\\.\\d+Z$", "Z");
  }
}
