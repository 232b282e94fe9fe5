package dev.uplift.cli.device;

import dev.uplift.cli.option.ConfirmationOption;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.FilterOption;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.JsonTable;
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
    addMethodSubcommands = false,
    synopsisSubcommandLabel = "COMMAND",
    description = "Show hosts as they last reported; revoke or rotate their credentials.")
public final class HostCommands {
  private static final JsonTable TABLE =
      new JsonTable()
          .column("HOST", "host")
          .column("DEVICE", "device")
          .column("ENROLMENT", "enrolment")
          .column("ROOT", "root_version")
          .column("PRESENCE", "presence")
          .column("LAST SEEN", HostCommands::lastSeen)
          .column("STATE", "state")
          .column("VERSIONS", HostCommands::versions);

  private static final JsonTable AGENTS =
      new JsonTable()
          .column("AGENT", "instance")
          .column("STATE", "state")
          .column("VERSION", "version")
          .column("ON TRIAL", agent -> agent.path("on_trial").asBoolean(false) ? "yes" : "no")
          .column("LAST SEEN", HostCommands::lastSeen);

  private static final JsonTable VERSION_HISTORY =
      new JsonTable()
          .column("PACKAGE", "package")
          .column("VERSION", version -> version.path("version").asString("not reported"))
          .column("SINCE", version -> withoutFraction(version.path("since")))
          .column("UNTIL", version -> version.has("until") ? withoutFraction(version.path("until")) : "now")
          .column("UPGRADE", version -> version.path("upgrade").asString("none"))
          .column("BEFORE", "previous_version");

  private static final JsonTable PACKAGES =
      new JsonTable()
          .column("PACKAGE", "package")
          .column("VERSION", "version")
          .column("UPGRADE", "/last_upgrade/id")
          .column("TO", "/last_upgrade/version")
          .column("STARTED", one -> withoutFraction(one.path("last_upgrade").path("started_at")))
          .column("ENDED", one -> withoutFraction(one.path("last_upgrade").path("ended_at")))
          .column("OUTCOME", "/last_upgrade/outcome")
          .column("FAILED", "failed_version");

  @Command(name = "list", description = "List hosts.")
  int list(
      @Mixin ServerOptions server,
      @Mixin FilterOption filter,
      @Option(names = "--device", paramLabel = "DEVICE", defaultValue = "") String device) {
    return server.printAll("hosts", Map.of("device", device, "filter", filter.expression), TABLE);
  }

  @Command(name = "show", description = "Show one host.")
  int show(@Mixin ServerOptions server, @Parameters(paramLabel = "HOST") String host) {
    return server.print(rest -> rest.get(path(host)), HostCommands::details);
  }

  @Command(
      name = "versions",
      description = "Show which versions a host runs and ran, since when, and which upgrade had changed it.")
  int versions(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "HOST") String host,
      @Option(names = "--package", paramLabel = "NAME", defaultValue = "", description = "Only of this package.")
          String packageName) {
    return server.printAll(path(host) + "/versions", Map.of("package", packageName), VERSION_HISTORY);
  }

  @Command(
      name = "packages",
      description = "Show the packages of a host, and when the last upgrade of each began and ended, and how.")
  int packages(@Mixin ServerOptions server, @Parameters(paramLabel = "HOST") String host) {
    return server.printAll(path(host) + "/packages", Map.of(), PACKAGES);
  }

  @Command(name = "revoke", description = "Revoke the credentials of a host; its connections end at once.")
  int revoke(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "HOST") String host,
      @Mixin DryRunOption dryRun,
      @Mixin ConfirmationOption confirmation) {
    confirmation.confirm("This revokes the credentials of " + host + " until it joins again", dryRun);
    try (RestClient rest = server.connect()) {
      rest.delete(path(host) + "/credentials" + dryRun.query());
    }
    server.output().printLine(dryRun.resultText(host + " is revoked; `uplift enrol` makes a token to join again"));
    return 0;
  }

  @Command(name = "rotate", description = "Have a host replace its key when it renews its credentials, within a day.")
  int rotate(@Mixin ServerOptions server, @Parameters(paramLabel = "HOST") String host, @Mixin DryRunOption dryRun) {
    String path = path(host) + "/credentials/rotate" + dryRun.query();
    try (RestClient rest = server.connect()) {
      var _ = rest.send("POST", path, new RequestFields().json());
    }
    server
        .output()
        .printLine(
            dryRun.resultText(
                host + " replaces its key within a day; on the host, `uplift-agent rotate` does so" + " at once"));
    return 0;
  }

  @Command(name = "delete", description = "Remove a host from its device and revoke its credentials.")
  int delete(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "HOST") String host,
      @Mixin DryRunOption dryRun,
      @Mixin ConfirmationOption confirmation) {
    confirmation.confirm("This removes " + host + " from its device and revokes its credentials", dryRun);
    try (RestClient rest = server.connect()) {
      rest.delete(path(host) + dryRun.query());
    }
    server.output().printLine(dryRun.resultText(host + " is deleted"));
    return 0;
  }

  private static String path(String host) {
    return "hosts/" + RestClient.pathSegment(host);
  }

  /// Formats a host with its running agents: two during a handover.
  static String details(JsonNode host) {
    JsonNode agents = host.path("instances");
    String error = host.path("upgrade_error").asString("");
    return TABLE.apply(host)
        + (agents.isEmpty() ? "" : "\n\n" + AGENTS.apply(agents))
        + (error.isEmpty() ? "" : "\n\nits agent was not upgraded: " + error);
  }

  private static String versions(JsonNode host) {
    return host.path("versions").properties().stream()
        .map(version -> version.getKey() + " " + version.getValue().asString(""))
        .collect(Collectors.joining(", "));
  }

  private static String lastSeen(JsonNode json) {
    return withoutFraction(json.path("last_seen_at"));
  }

  /// Returns a time without the fraction of its second.
  private static String withoutFraction(JsonNode time) {
    return time.asString("").replaceFirst("\\.\\d+Z$", "Z");
  }
}
