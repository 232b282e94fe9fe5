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

/// Starts upgrades, shows them, steers them.
@Command(
    name = "upgrade",
    synopsisSubcommandLabel = "COMMAND",
    description = "Starts device upgrades, shows them and steers them.")
public final class UpgradeCommands {
  private static final Duration WATCH_TIMEOUT = Duration.ofDays(14);
  private static final String HOST_DESCRIPTION =
      "Which host, where more than one waits for a person.";

  @Command(
      name = "start",
      sortOptions = false,
      description = "Brings a release to a device. Prints the upgrade's id.")
  int start(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "DEVICE") String device,
      @Option(names = "--package", required = true, paramLabel = "NAME") String name,
      @Option(names = "--version", required = true, paramLabel = "VERSION") String version,
      @Mixin UpgradeStartOptions wishes,
      @Option(
              names = "--id",
              paramLabel = "ID",
              description = "The upgrade's id: the same once more is the same upgrade.")
          @Nullable String id,
      @Option(names = "--watch", description = "Stays until it has ended.") boolean watch,
      @Mixin DryRunOption dryRunOption) {
    ObjectNode body =
        RestClient.JSON.createObjectNode().put("package", name).put("version", version);
    wishes.addTo(body);
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

  @Command(name = "list", description = "Upgrades, newest first.")
  int list(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Option(names = "--device", paramLabel = "DEVICE", defaultValue = "") String device,
      @Option(names = "--package", paramLabel = "NAME", defaultValue = "") String name,
      @Option(names = "--version", paramLabel = "VERSION", defaultValue = "") String version,
      @Option(names = "--outcome", paramLabel = "OUTCOME", defaultValue = "") String outcome,
      @Option(names = "--running", description = "Only those that run.") boolean running) {
    Map<String, String> wanted =
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
      outputOptions.printResult(restClient.getAll("upgrades", wanted), UpgradeCommands::table);
    }
    return 0;
  }

  @Command(name = "show", description = "One upgrade.")
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
        "Shows an upgrade until it has ended.",
        "Ends with 0 when the device runs the wanted version then, else with 3."
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
      description = "What happens to an upgrade, a line of JSON each, until it has ended.")
  int events(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID") String id,
      @Mixin EventOptions wishes) {
    return wishes.printEvents(connectionOptions, outputOptions, path(id));
  }

  @Command(
      name = "revert",
      sortOptions = false,
      description = {
        "Takes an upgrade back that is done: its hosts go back to the version from before.",
        "Prints the id of the upgrade that does so."
      })
  int revert(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Parameters(paramLabel = "ID", description = "The upgrade that is taken back.") String done,
      @Option(names = "--reason", paramLabel = "TEXT", description = "Kept in the audit.")
          @Nullable String reason,
      @Option(
              names = "--not-after",
              paramLabel = "TIME",
              description = "No host is begun with past this time.")
          @Nullable String notAfter,
      @Option(
              names = "--id",
              paramLabel = "ID",
              description = "The new upgrade's id: the same once more is the same one.")
          @Nullable String id,
      @Option(names = "--watch", description = "Stays until it has ended.") boolean watch,
      @Mixin DryRunOption dryRunOption,
      @Mixin ConfirmationOption confirmationOption) {
    if (!dryRunOption.enabled) {
      confirmationOption.confirm("This takes the upgrade " + done + " back");
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
        "Ends an upgrade; what was touched is rolled back.",
        "Prints the step that it interrupts."
      })
  int abort(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin UpgradeActionOptions upgradeActionOptions,
      @Mixin ConfirmationOption confirmationOption) {
    confirmationOption.confirm(
        "This ends the upgrade and takes back what was touched", upgradeActionOptions.dryRun);
    return upgradeActionOptions.sendAction(connectionOptions, outputOptions, "abort");
  }

  @Command(name = "pause", description = "Holds an upgrade before its next step.")
  int pause(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin UpgradeActionOptions upgradeActionOptions) {
    return upgradeActionOptions.sendAction(connectionOptions, outputOptions, "pause");
  }

  @Command(name = "resume", description = "Lets a paused upgrade go on.")
  int resume(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin UpgradeActionOptions upgradeActionOptions) {
    return upgradeActionOptions.sendAction(connectionOptions, outputOptions, "resume");
  }

  @Command(
      name = "retry-step",
      description = "Orders anew what a host could not do, and a person has made good.")
  int retryStep(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin UpgradeActionOptions upgradeActionOptions,
      @Option(names = "--host", paramLabel = "HOST", description = HOST_DESCRIPTION)
          @Nullable String host) {
    return upgradeActionOptions.sendAction(
        connectionOptions, outputOptions, "retry-step", "host", host);
  }

  @Command(name = "skip-host", description = "Leaves a host as it is and goes on with the others.")
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
      description = "Gives an upgrade more time to begin what it has not begun.")
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
      description = "Lets an upgrade touch its device that waits for that. Not for its author.")
  int approve(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin UpgradeActionOptions upgradeActionOptions) {
    return upgradeActionOptions.sendAction(connectionOptions, outputOptions, "approve");
  }

  @Command(
      name = "deny",
      description = "Ends an upgrade that waits for an approval; nothing was touched.")
  int deny(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin UpgradeActionOptions upgradeActionOptions) {
    return upgradeActionOptions.sendAction(connectionOptions, outputOptions, "deny");
  }

  private static int watch(RestClient restClient, OutputOptions outputOptions, String id) {
    // With --json the last word alone goes to the output.
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
      UpgradeResponse view = UpgradeResponse.of(upgrade);
      table.addRow(
          view.id(),
          view.device(),
          view.release(),
          upgrade.path("started_at").asString(""),
          view.hasEnded() ? view.outcome() : "running",
          view.reason());
    }
    return table.toString();
  }

  private static String path(String id) {
    return "upgrades/" + RestClient.pathSegment(id);
  }
}
