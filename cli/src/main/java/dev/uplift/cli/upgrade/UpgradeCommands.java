package dev.uplift.cli.upgrade;

import dev.uplift.cli.option.ConfirmationOption;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.EventOptions;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.JsonTable;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Terminal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Starts, shows and controls device upgrades.
@Command(
    name = "upgrade",
    addMethodSubcommands = false,
    synopsisSubcommandLabel = "COMMAND",
    description = "Start, show and control device upgrades.",
    subcommands = {UpgradeLogCommand.class, UpgradeReportCommand.class})
public final class UpgradeCommands {
  private static final Duration WATCH_TIMEOUT = Duration.ofDays(14);
  private static final JsonTable TABLE =
      new JsonTable()
          .column("UPGRADE", "id")
          .column("DEVICE", "device")
          .column("RELEASE", json -> UpgradeResponse.of(json).release())
          .column("STARTED", "started_at")
          .column("STATE", UpgradeCommands::state)
          .column("FIRST ERROR", json -> UpgradeResponse.of(json).reason());

  private static final String HOST_DESCRIPTION = "The host; needed if several wait for an operator.";

  @Command(
      name = "start",
      sortOptions = false,
      description = "Upgrade a device to a release. Prints the id of the upgrade.")
  int start(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "DEVICE") String device,
      @Option(names = "--package", required = true, paramLabel = "NAME") String name,
      @Option(names = "--version", required = true, paramLabel = "VERSION") String version,
      @Mixin UpgradeStartOptions startOptions,
      @Option(
              names = "--id",
              paramLabel = "ID",
              description = "Id of the upgrade; a repeat with the same id starts no second one.")
          @Nullable String id,
      @Option(names = "--watch", description = "Watch it until it has ended.") boolean watch,
      @Mixin DryRunOption dryRun) {
    ObjectNode body = new RequestFields().put("package", name).put("version", version).json();
    startOptions.addTo(body);
    String path = "devices/" + RestClient.pathSegment(device) + "/upgrades" + dryRun.query();
    return startAndShow(server, path, body, id, watch && !dryRun.enabled);
  }

  private static int startAndShow(
      ServerOptions server, String path, ObjectNode body, @Nullable String id, boolean watch) {
    String key = id == null ? UUID.randomUUID().toString() : id;
    try (RestClient rest = server.connect()) {
      JsonNode started = rest.send("POST", path, body, Map.of("Idempotency-Key", key));
      if (watch) {
        return watch(rest, server.output(), key);
      }
      server.output().printResult(started, answer -> answer.path("id").asString(key));
    }
    return 0;
  }

  @Command(name = "list", description = "List upgrades, newest first.")
  int list(
      @Mixin ServerOptions server,
      @Option(names = "--device", paramLabel = "DEVICE", defaultValue = "") String device,
      @Option(names = "--package", paramLabel = "NAME", defaultValue = "") String name,
      @Option(names = "--version", paramLabel = "VERSION", defaultValue = "") String version,
      @Option(names = "--outcome", paramLabel = "OUTCOME", defaultValue = "") String outcome,
      @Option(names = "--running", description = "Only running upgrades.") boolean running) {
    return server.printAll(
        "upgrades",
        Map.of(
            "device",
            device,
            "package",
            name,
            "version",
            version,
            "outcome",
            outcome,
            "running",
            running ? "true" : ""),
        TABLE);
  }

  @Command(name = "show", description = "Show one upgrade.")
  int show(@Mixin ServerOptions server, @Parameters(paramLabel = "ID") String id) {
    return server.print(rest -> rest.get(path(id)), json -> UpgradeFormatter.of(UpgradeResponse.of(json)));
  }

  @Command(
      name = "watch",
      description = {
        "Show the progress of an upgrade until it has ended.",
        "Exit code: 0 if the device then runs the requested version, else 3."
      })
  int watch(@Mixin ServerOptions server, @Parameters(paramLabel = "ID") String id) {
    try (RestClient rest = server.connect()) {
      return watch(rest, server.output(), id);
    }
  }

  @Command(name = "events", description = "Print the events of an upgrade as lines of JSON, until it has ended.")
  int events(@Mixin ServerOptions server, @Parameters(paramLabel = "ID") String id, @Mixin EventOptions events) {
    return events.printEvents(server, path(id));
  }

  @Command(
      name = "revert",
      sortOptions = false,
      description = {
        "Revert a finished upgrade: its hosts return to their previous version.",
        "Prints the id of the upgrade that does it."
      })
  int revert(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "ID", description = "The upgrade to revert.") String done,
      @Option(names = "--reason", paramLabel = "TEXT", description = "Recorded in the audit log.")
          @Nullable String reason,
      @Option(names = "--not-after", paramLabel = "TIME", description = "Start no host after this time.")
          @Nullable String notAfter,
      @Option(
              names = "--override-pin",
              description = "Also if the package is pinned to another version on the device, or held.")
          boolean overridePin,
      @Option(
              names = "--id",
              paramLabel = "ID",
              description = "Id of the new upgrade; a repeat with the same id starts no second one.")
          @Nullable String id,
      @Option(names = "--watch", description = "Watch it until it has ended.") boolean watch,
      @Mixin DryRunOption dryRun,
      @Mixin ConfirmationOption confirmation) {
    confirmation.confirm("This reverts the upgrade " + done, dryRun);
    ObjectNode body =
        new RequestFields().put("reason", reason).put("not_after", notAfter).put("override_pin", overridePin).json();
    String path = path(done) + "/revert" + dryRun.query();
    return startAndShow(server, path, body, id, watch && !dryRun.enabled);
  }

  @Command(
      name = "abort",
      description = {"Abort an upgrade; changed hosts are rolled back.", "Prints the interrupted step."})
  int abort(@Mixin UpgradeActionOptions action, @Mixin ConfirmationOption confirmation) {
    confirmation.confirm("This aborts the upgrade and rolls back changed hosts", action.dryRun);
    return action.send("abort");
  }

  @Command(name = "pause", description = "Pause an upgrade before its next step.")
  int pause(@Mixin UpgradeActionOptions action) {
    return action.send("pause");
  }

  @Command(name = "resume", description = "Resume a paused upgrade.")
  int resume(@Mixin UpgradeActionOptions action) {
    return action.send("resume");
  }

  @Command(name = "retry-step", description = "Retry a failed step of a host once its cause is fixed.")
  int retryStep(
      @Mixin UpgradeActionOptions action,
      @Option(names = "--host", paramLabel = "HOST", description = HOST_DESCRIPTION) @Nullable String host) {
    return action.send("retry-step", "host", host);
  }

  @Command(name = "skip-host", description = "Leave a host as it is and continue with the others.")
  int skipHost(
      @Mixin UpgradeActionOptions action,
      @Option(names = "--host", paramLabel = "HOST", description = HOST_DESCRIPTION) @Nullable String host) {
    return action.send("skip-host", "host", host);
  }

  @Command(name = "extend-deadline", description = "Give an upgrade more time to start further steps.")
  int extendDeadline(
      @Mixin UpgradeActionOptions action,
      @Option(
              names = "--not-after",
              required = true,
              paramLabel = "TIME",
              description = "The new deadline, such as 2026-12-24T18:00:00Z.")
          String notAfter) {
    return action.send("extend-deadline", "not_after", notAfter);
  }

  @Command(name = "approve", description = "Approve an upgrade that waits for approval. Not permitted to its author.")
  int approve(@Mixin UpgradeActionOptions action) {
    return action.send("approve");
  }

  @Command(name = "deny", description = "Deny an upgrade that waits for approval; it ends without a change.")
  int deny(@Mixin UpgradeActionOptions action) {
    return action.send("deny");
  }

  private static int watch(RestClient rest, OutputOptions output, String id) {
    // With --json only the final state goes to standard output.
    Screen screen = new Screen(output.asJson ? System.err : System.out, Terminal.detect());
    UpgradeResponse ended = new UpgradeWatcher(rest, screen).awaitEnd(List.of(id), WATCH_TIMEOUT).getFirst();
    if (output.asJson) {
      output.printResult(rest.get(path(id)), JsonNode::toString);
    } else if (!ended.reason().isEmpty()) {
      output.printLine(ended.outcome() + ": " + ended.reason());
    }
    return ended.hasSucceeded() ? 0 : CliException.UNSUCCESSFUL_OUTCOME;
  }

  private static String state(JsonNode json) {
    UpgradeResponse upgrade = UpgradeResponse.of(json);
    return upgrade.hasEnded() ? upgrade.outcome() : "running";
  }

  private static String path(String id) {
    return "upgrades/" + RestClient.pathSegment(id);
  }
}
