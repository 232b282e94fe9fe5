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
    description = "Shows what hosts last said of themselves, and when; shuts them out.")
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
      output.show(rest.get("hosts/" + Rest.segment(host)), HostCommands::whole);
    }
    return 0;
  }

  @Command(
      name = "revoke",
      description = "No key of the host is good any more; its connections end at once.")
  int revoke(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "HOST") String host,
      @Mixin DryRun dryRun,
      @Mixin Confirmed confirmed) {
    confirmed.ask("This shuts " + host + " out, until it joins anew", dryRun);
    try (Rest rest = connection.open()) {
      rest.delete("hosts/" + Rest.segment(host) + "/credentials" + dryRun.query());
      output.say(dryRun.said(host + " is shut out; `uplift enroll` lets it in again"));
    }
    return 0;
  }

  @Command(
      name = "rotate",
      description = "The host takes a new key when it asks for its next ticket, within a day.")
  int rotate(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "HOST") String host,
      @Mixin DryRun dryRun) {
    try (Rest rest = connection.open()) {
      var _ =
          rest.send(
              "POST",
              "hosts/" + Rest.segment(host) + "/credentials/rotate" + dryRun.query(),
              Rest.JSON.createObjectNode());
      output.say(
          dryRun.said(
              host
                  + " takes a new key within a day; on the host, `uplift-agent rotate` does so at"
                  + " once"));
    }
    return 0;
  }

  @Command(name = "delete", description = "Takes the host off its device and out of the fleet.")
  int delete(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "HOST") String host,
      @Mixin DryRun dryRun,
      @Mixin Confirmed confirmed) {
    confirmed.ask("This takes " + host + " off its device and shuts it out", dryRun);
    try (Rest rest = connection.open()) {
      rest.delete("hosts/" + Rest.segment(host) + dryRun.query());
      output.say(dryRun.said(host + " is deleted"));
    }
    return 0;
  }

  private static String table(JsonNode hosts) {
    Table table =
        new Table("HOST", "DEVICE", "ENROLMENT", "ROOT", "PRESENCE", "SEEN", "STATE", "VERSIONS");
    for (JsonNode host : hosts) {
      table.row(
          host.path("host").asString(""),
          host.path("device").asString(""),
          host.path("enrolment").asString(""),
          host.path("root_version").asString(""),
          host.path("presence").asString(""),
          seen(host.path("seen_at").asString("")),
          host.path("state").asString(""),
          host.path("versions").properties().stream()
              .map(version -> version.getKey() + " " + version.getValue().asString(""))
              .collect(Collectors.joining(", ")));
    }
    return table.toString();
  }

  /// With the agents that are alive on it: two while one makes way for the other.
  static String whole(JsonNode host) {
    Table agents = new Table("AGENT", "STATE", "VERSION", "TRIAL", "SEEN");
    for (JsonNode agent : host.path("instances")) {
      agents.row(
          agent.path("instance").asString(""),
          agent.path("state").asString(""),
          agent.path("version").asString(""),
          agent.path("trial").asBoolean(false) ? "yes" : "no",
          seen(agent.path("seen_at").asString("")));
    }
    String error = host.path("upgrade_error").asString("");
    return table(Rest.JSON.createArrayNode().add(host))
        + (host.path("instances").isEmpty() ? "" : "\n\n" + agents)
        + (error.isEmpty() ? "" : "\n\nits agent was not upgraded: " + error);
  }

  /// To the second: nobody reads more of it.
  private static String seen(String at) {
    return at.replaceFirst("\\.\\d+Z$", "Z");
  }
}
