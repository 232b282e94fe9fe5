package dev.uplift.cli.upgrade;

import dev.uplift.cli.option.ConfirmationOption;
import dev.uplift.cli.option.ConnectionOptions;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.EventOptions;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Table;
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
    synopsisSubcommandLabel = "COMMAND",
    description = "Start, show and control device upgrades.")
public final class UpgradeCommands {
  private static final Duration WATCH_TIMEOUT = Duration.ofDays(14);
  private static final String HOST_DESCRIPTION =
      "The host; needed if several wait for an operator.";

  @Command(
      name = "start",
      sortOptions = false,
      description = "Upgrade a device to a release. Prints the id of the upgrade.")
  int start(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
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
      @Mixin DryRunOption dryRunOption) {
    ObjectNode body =
        RestClient.JSON.createObjectNode().put("package", name).put("version", version);
    startOptions.addTo(body);
    String path = "devices/" + RestClient.pathSegment(device) + "/upgrades" + dryRunOption.query();
    try (RestClient restClient = connectionOptions.connect()) {
      return startAndShow(
          restClient, outputOptions, path, body, id, watch && !dryRunOption.enabled);
    }
  }

  private static int startAndShow(
      RestClient restClient,
      OutputOptions outputOptions,
      String path,
      ObjectNode body,
      @Nullable String id,
      boolean watch) {
    String key = id == null ? UUID.randomUUID().toString() : id;
    JsonNode started = restClient.send("POST", path, body, Map.of("Idempotency-Key", key));
    if (watch) {
      return watch(restClient, outputOptions, key);
    }
    outputOptions.printResult(started, answer -> answer.path("id").asString(key));
    return 0;
  }

  @Command(name = "list", description = "List upgrades, newest first.")
  int list(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Option(names = "--device", paramLabel = "DEVICE", defaultValue = "") String device,
      @Option(names = "--package", paramLabel = "NAME", defaultValue = "") String name,
      @Option(names = "--version", paramLabel = "VERSION", defaultValue = "") String version,
      @Option(names = "--outcome", paramLabel = "OUTCOME", defaultValue = "") String outcome,
      @Option(names = "--running", description = "Only running upgrades.") boolean running) {
    Map<String, String> query =
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
            running ? "true" : "");
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(restClient.getAll("upgrades", query), UpgradeCommands::table);
    }
    return 0;
  }

  @Command(name = "show", description = "Show one upgrade.")
  int show(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id) {
    try (RestClient restClient = connectionOptions.connect()) {
      outputOptions.printResult(
          restClient.get(path(id)), json -> UpgradeFormatter.of(UpgradeResponse.of(json)));
    }
    return 0;
  }

  @Command(
      name = "watch",
      description = {
        "Show the progress of an upgrade until it has ended.",
        "Exit code: 0 if the device then runs the requested version, else 3."
      })
  int watch(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id) {
    try (RestClient restClient = connectionOptions.connect()) {
      return watch(restClient, outputOptions, id);
    }
  }

  @Command(
      name = "events",
      description = "Print the events of an upgrade as lines of JSON, until it has ended.")
  int events(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id,
      @Mixin EventOptions eventOptions) {
    return eventOptions.printEvents(connectionOptions, outputOptions, path(id));
  }

  @Command(
      name = "revert",
      sortOptions = false,
      description = {
        "Revert a finished upgrade: its hosts return to their previous version.",
        "Prints the id of the upgrade that does it."
      })
  int revert(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID", description = "The upgrade to revert.") String done,
      @Option(names = "--reason", paramLabel = "TEXT", description = "Recorded in the audit log.")
          @Nullable String reason,
      @Option(
              names = "--not-after",
              paramLabel = "TIME",
              description = "Start no host after this time.")
          @Nullable String notAfter,
      @Option(
              names = "--id",
              paramLabel = "ID",
              description =
                  "Id of the new upgrade; a repeat with the same id starts no second one.")
          @Nullable String id,
      @Option(names = "--watch", description = "Watch it until it has ended.") boolean watch,
      @Mixin DryRunOption dryRunOption,
      @Mixin ConfirmationOption confirmationOption) {
    if (!dryRunOption.enabled) {
      confirmationOption.confirm("This reverts the upgrade " + done);
    }
    ObjectNode body = RestClient.JSON.createObjectNode();
    if (reason != null) {
      body.put("reason", reason);
    }
    if (notAfter != null) {
      body.put("not_after", notAfter);
    }
    String path = path(done) + "/revert" + dryRunOption.query();
    try (RestClient restClient = connectionOptions.connect()) {
      return startAndShow(
          restClient, outputOptions, path, body, id, watch && !dryRunOption.enabled);
    }
  }

  @Command(
      name = "abort",
      description = {
        "Abort an upgrade; changed hosts are rolled back.",
        "Prints the interrupted step."
      })
  int abort(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin UpgradeActionOptions upgradeActionOptions,
      @Mixin ConfirmationOption confirmationOption) {
    confirmationOption.confirm(
        "This aborts the upgrade and rolls back changed hosts", upgradeActionOptions.dryRun);
    return upgradeActionOptions.sendAction(connectionOptions, outputOptions, "abort");
  }

  @Command(name = "pause", description = "Pause an upgrade before its next step.")
  int pause(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin UpgradeActionOptions upgradeActionOptions) {
    return upgradeActionOptions.sendAction(connectionOptions, outputOptions, "pause");
  }

  @Command(name = "resume", description = "Resume a paused upgrade.")
  int resume(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin UpgradeActionOptions upgradeActionOptions) {
    return upgradeActionOptions.sendAction(connectionOptions, outputOptions, "resume");
  }

  @Command(
      name = "retry-step",
      description = "Retry a failed step of a host once its cause is fixed.")
  int retryStep(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin UpgradeActionOptions upgradeActionOptions,
      @Option(names = "--host", paramLabel = "HOST", description = HOST_DESCRIPTION)
          @Nullable String host) {
    return upgradeActionOptions.sendAction(
        connectionOptions, outputOptions, "retry-step", "host", host);
  }

  @Command(name = "skip-host", description = "Leave a host as it is and continue with the others.")
  int skipHost(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin UpgradeActionOptions upgradeActionOptions,
      @Option(names = "--host", paramLabel = "HOST", description = HOST_DESCRIPTION)
          @Nullable String host) {
    return upgradeActionOptions.sendAction(
        connectionOptions, outputOptions, "skip-host", "host", host);
  }

  @Command(
      name = "extend-deadline",
      description = "Give an upgrade more time to start further steps.")
  int extendDeadline(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin UpgradeActionOptions upgradeActionOptions,
      @Option(
              names = "--not-after",
              required = true,
              paramLabel = "TIME",
              description = "The new deadline, such as 2026-12-24T18:00:00Z.")
          String notAfter) {
    return upgradeActionOptions.sendAction(
        connectionOptions, outputOptions, "extend-deadline", "not_after", notAfter);
  }

  @Command(
      name = "approve",
      description = "Approve an upgrade that waits for approval. Not permitted to its author.")
  int approve(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin UpgradeActionOptions upgradeActionOptions) {
    return upgradeActionOptions.sendAction(connectionOptions, outputOptions, "approve");
  }

  @Command(
      name = "deny",
      description = "Deny an upgrade that waits for approval; it ends without a change.")
  int deny(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin UpgradeActionOptions upgradeActionOptions) {
    return upgradeActionOptions.sendAction(connectionOptions, outputOptions, "deny");
  }

  private static int watch(RestClient restClient, OutputOptions outputOptions, String id) {
    // With --json only the final state goes to standard output.
    Screen screen = new Screen(outputOptions.asJson ? System.err : System.out, Terminal.detect());
    UpgradeResponse ended =
        new UpgradeWatcher(restClient, screen).awaitEnd(List.of(id), WATCH_TIMEOUT).getFirst();
    if (outputOptions.asJson) {
      outputOptions.printResult(restClient.get(path(id)), JsonNode::toString);
    } else if (!ended.reason().isEmpty()) {
      outputOptions.printLine(ended.outcome() + ": " + ended.reason());
    }
    return ended.hasSucceeded() ? 0 : CliException.UNSUCCESSFUL_OUTCOME;
  }

  private static String table(JsonNode upgrades) {
    Table table = new Table("UPGRADE", "DEVICE", "RELEASE", "STARTED", "STATE", "FIRST ERROR");
    for (JsonNode upgrade : upgrades) {
      UpgradeResponse row = UpgradeResponse.of(upgrade);
      table.addRow(
          row.id(),
          row.device(),
          row.release(),
          upgrade.path("started_at").asString(""),
          row.hasEnded() ? row.outcome() : "running",
          row.reason());
    }
    return table.toString();
  }

  private static String path(String id) {
    return "upgrades/" + RestClient.pathSegment(id);
  }
}
