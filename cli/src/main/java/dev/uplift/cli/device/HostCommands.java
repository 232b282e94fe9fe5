package dev.uplift.cli.device;

import dev.uplift.cli.option.ConfirmationOption;
import dev.uplift.cli.option.ConnectionOptions;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.FilterOption;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.rest.RestClient;
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
    description = "Shows what hosts last said of themselves, and when; shuts them out.")
public final class HostCommands {
  @Command(name = "list", description = "All hosts.")
  int list(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin FilterOption filter,
      @Option(names = "--device", paramLabel = "DEVICE", defaultValue = "") String device) {
    Map<String, String> wanted = Map.of("device", device, "filter", filter.expression);
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(restClient.getAll("hosts", wanted), HostCommands::table);
    }
    return 0;
  }

  @Command(name = "show", description = "One host.")
  int show(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "HOST") String host) {
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(
          restClient.get("hosts/" + RestClient.pathSegment(host)), HostCommands::details);
    }
    return 0;
  }

  @Command(
      name = "revoke",
      description = "No key of the host is good any more; its connections end at once.")
  int revoke(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "HOST") String host,
      @Mixin DryRunOption dryRunOption,
      @Mixin ConfirmationOption confirmationOption) {
    confirmationOption.confirm("This shuts " + host + " out, until it joins anew", dryRunOption);
    try (RestClient restClient = connectionOptions.connect()) {
      restClient.delete(
          "hosts/" + RestClient.pathSegment(host) + "/credentials" + dryRunOption.query());
      outputOptions.printLine(
          dryRunOption.resultText(host + " is shut out; `uplift enroll` lets it in again"));
    }
    return 0;
  }

  @Command(
      name = "rotate",
      description = "The host takes a new key when it asks for its next ticket, within a day.")
  int rotate(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "HOST") String host,
      @Mixin DryRunOption dryRunOption) {
    try (RestClient restClient = connectionOptions.connect()) {
      var _ =
          restClient.send(
              "POST",
              "hosts/"
                  + RestClient.pathSegment(host)
                  + "/credentials/rotate"
                  + dryRunOption.query(),
              RestClient.JSON.createObjectNode());
      outputOptions.printLine(
          dryRunOption.resultText(
              host
                  + " takes a new key within a day; on the host, `uplift-agent rotate` does so at"
                  + " once"));
    }
    return 0;
  }

  @Command(name = "delete", description = "Takes the host off its device and out of the fleet.")
  int delete(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "HOST") String host,
      @Mixin DryRunOption dryRunOption,
      @Mixin ConfirmationOption confirmationOption) {
    confirmationOption.confirm(
        "This takes " + host + " off its device and shuts it out", dryRunOption);
    try (RestClient restClient = connectionOptions.connect()) {
      restClient.delete("hosts/" + RestClient.pathSegment(host) + dryRunOption.query());
      outputOptions.printLine(dryRunOption.resultText(host + " is deleted"));
    }
    return 0;
  }

  private static String table(JsonNode hosts) {
    Table table =
        new Table("HOST", "DEVICE", "ENROLMENT", "ROOT", "PRESENCE", "SEEN", "STATE", "VERSIONS");
    for (JsonNode host : hosts) {
      table.addRow(
          host.path("host").asString(""),
          host.path("device").asString(""),
          host.path("enrolment").asString(""),
          host.path("root_version").asString(""),
          host.path("presence").asString(""),
          withoutFraction(host.path("seen_at").asString("")),
          host.path("state").asString(""),
          host.path("versions").properties().stream()
              .map(version -> version.getKey() + " " + version.getValue().asString(""))
              .collect(Collectors.joining(", ")));
    }
    return table.toString();
  }

  /// With the agents that are alive on it: two while one makes way for the other.
  static String details(JsonNode host) {
    Table agents = new Table("AGENT", "STATE", "VERSION", "TRIAL", "SEEN");
    for (JsonNode agent : host.path("instances")) {
      agents.addRow(
          agent.path("instance").asString(""),
          agent.path("state").asString(""),
          agent.path("version").asString(""),
          agent.path("trial").asBoolean(false) ? "yes" : "no",
          withoutFraction(agent.path("seen_at").asString("")));
    }
    String error = host.path("upgrade_error").asString("");
    return table(RestClient.JSON.createArrayNode().add(host))
        + (host.path("instances").isEmpty() ? "" : "\n\n" + agents)
        + (error.isEmpty() ? "" : "\n\nits agent was not upgraded: " + error);
  }

  /// To the second: nobody reads more of it.
  private static String withoutFraction(String at) {
    return at.replaceFirst("\\.\\d+Z$", "Z");
  }
}
