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

/// Hosts, as they last reported.
@Command(
    name = "host",
    synopsisSubcommandLabel = "COMMAND",
    description = "Show hosts as they last reported; revoke or rotate their credentials.")
public final class HostCommands {
  @Command(name = "list", description = "List hosts.")
  int list(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin FilterOption filter,
      @Option(names = "--device", paramLabel = "DEVICE", defaultValue = "") String device) {
    Map<String, String> query = Map.of("device", device, "filter", filter.expression);
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(restClient.getAll("hosts", query), HostCommands::table);
    }
    return 0;
  }

  @Command(name = "show", description = "Show one host.")
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
      description = "Revoke the credentials of a host; its connections end at once.")
  int revoke(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "HOST") String host,
      @Mixin DryRunOption dryRunOption,
      @Mixin ConfirmationOption confirmationOption) {
    confirmationOption.confirm(
        "This revokes the credentials of " + host + " until it joins again", dryRunOption);
    try (RestClient restClient = connectionOptions.connect()) {
      restClient.delete(
          "hosts/" + RestClient.pathSegment(host) + "/credentials" + dryRunOption.query());
      outputOptions.printLine(
          dryRunOption.resultText(
              host + " is revoked; `uplift enrol` makes a token to join again"));
    }
    return 0;
  }

  @Command(
      name = "rotate",
      description = "Have a host replace its key when it renews its credentials, within a day.")
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
                  + " replaces its key within a day; on the host, `uplift-agent rotate` does so at"
                  + " once"));
    }
    return 0;
  }

  @Command(
      name = "delete",
      description = "Remove a host from its device and revoke its credentials.")
  int delete(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "HOST") String host,
      @Mixin DryRunOption dryRunOption,
      @Mixin ConfirmationOption confirmationOption) {
    confirmationOption.confirm(
        "This removes " + host + " from its device and revokes its credentials", dryRunOption);
    try (RestClient restClient = connectionOptions.connect()) {
      restClient.delete("hosts/" + RestClient.pathSegment(host) + dryRunOption.query());
      outputOptions.printLine(dryRunOption.resultText(host + " is deleted"));
    }
    return 0;
  }

  private static String table(JsonNode hosts) {
    Table table =
        new Table(
            "HOST", "DEVICE", "ENROLMENT", "ROOT", "PRESENCE", "LAST SEEN", "STATE", "VERSIONS");
    for (JsonNode host : hosts) {
      table.addRow(
          host.path("host").asString(""),
          host.path("device").asString(""),
          host.path("enrolment").asString(""),
          host.path("root_version").asString(""),
          host.path("presence").asString(""),
          withoutFraction(host.path("last_seen_at").asString("")),
          host.path("state").asString(""),
          host.path("versions").properties().stream()
              .map(version -> version.getKey() + " " + version.getValue().asString(""))
              .collect(Collectors.joining(", ")));
    }
    return table.toString();
  }

  /// Formats a host with its running agents: two during a handover.
  static String details(JsonNode host) {
    Table agents = new Table("AGENT", "STATE", "VERSION", "ON TRIAL", "LAST SEEN");
    for (JsonNode agent : host.path("instances")) {
      agents.addRow(
          agent.path("instance").asString(""),
          agent.path("state").asString(""),
          agent.path("version").asString(""),
          agent.path("on_trial").asBoolean(false) ? "yes" : "no",
          withoutFraction(agent.path("last_seen_at").asString("")));
    }
    String error = host.path("upgrade_error").asString("");
    return table(RestClient.JSON.createArrayNode().add(host))
        + (host.path("instances").isEmpty() ? "" : "\n\n" + agents)
        + (error.isEmpty() ? "" : "\n\nits agent was not upgraded: " + error);
  }

  /// Truncates a time to seconds.
  private static String withoutFraction(String at) {
    return at.replaceFirst("\\.\\d+Z$", "Z");
  }
}
