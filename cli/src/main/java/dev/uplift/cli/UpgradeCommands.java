package dev.uplift.cli;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Table;
import dev.uplift.cli.text.Terminal;
import dev.uplift.cli.upgrade.UpgradeView;
import dev.uplift.cli.upgrade.Watch;
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
final class UpgradeCommands {
  private static final Duration FOR_EVER = Duration.ofDays(14);
  private static final String WHICH = "Which host, where more than one waits for a person.";

  @Command(
      name = "start",
      sortOptions = false,
      description = "Brings a release to a device. Prints the upgrade's id.")
  int start(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "DEVICE") String device,
      @Option(names = "--package", required = true, paramLabel = "NAME") String name,
      @Option(names = "--version", required = true, paramLabel = "VERSION") String version,
      @Mixin UpgradeWishes wishes,
      @Option(
              names = "--id",
              paramLabel = "ID",
              description = "The upgrade's id: the same once more is the same upgrade.")
          @Nullable String id,
      @Option(names = "--watch", description = "Stays until it has ended.") boolean watch,
      @Mixin DryRun dryRun) {
    ObjectNode body = Rest.JSON.createObjectNode().put("package", name).put("version", version);
    wishes.addTo(body);
    String path = "devices/" + Rest.segment(device) + "/upgrades" + dryRun.query();
    try (Rest rest = connection.open()) {
      return begin(rest, output, path, body, id, watch && !dryRun.only);
    }
  }

  private static int begin(
      Rest rest, Output output, String path, ObjectNode body, @Nullable String id, boolean watch) {
    String key = id == null ? UUID.randomUUID().toString() : id;
    JsonNode started = rest.send("POST", path, body, Map.of("Idempotency-Key", key));
    if (watch) {
      return watch(rest, output, key);
    }
    output.show(started, answer -> answer.path("id").asString(key));
    return 0;
  }

  @Command(name = "list", description = "Upgrades, newest first.")
  int list(
      @Mixin Connection connection,
      @Mixin Output output,
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
    try (Rest rest = connection.open()) {
      output.show(rest.all("upgrades", wanted), UpgradeCommands::table);
    }
    return 0;
  }

  @Command(name = "show", description = "One upgrade.")
  int show(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id) {
    try (Rest rest = connection.open()) {
      output.show(rest.get(path(id)), json -> UpgradeText.of(UpgradeView.of(json)));
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
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id) {
    try (Rest rest = connection.open()) {
      return watch(rest, output, id);
    }
  }

  @Command(
      name = "events",
      description = "What happens to an upgrade, a line of JSON each, until it has ended.")
  int events(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id,
      @Mixin EventWishes wishes) {
    return wishes.follow(connection, output, path(id));
  }

  @Command(
      name = "revert",
      sortOptions = false,
      description = {
        "Takes an upgrade back that is done: its hosts go back to the version from before.",
        "Prints the id of the upgrade that does so."
      })
  int revert(
      @Mixin Connection connection,
      @Mixin Output output,
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
      @Mixin DryRun dryRun,
      @Mixin Confirmed confirmed) {
    if (!dryRun.only) {
      confirmed.ask("This takes the upgrade " + done + " back");
    }
    ObjectNode body = Rest.JSON.createObjectNode();
    if (reason != null) {
      body.put("reason", reason);
    }
    if (notAfter != null) {
      body.put("not_after", notAfter);
    }
    String path = path(done) + "/revert" + dryRun.query();
    try (Rest rest = connection.open()) {
      return begin(rest, output, path, body, id, watch && !dryRun.only);
    }
  }

  @Command(
      name = "abort",
      description = {
        "Ends an upgrade; what was touched is rolled back.",
        "Prints the step that it interrupts."
      })
  int abort(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin Steering steering,
      @Mixin Confirmed confirmed) {
    confirmed.ask("This ends the upgrade and takes back what was touched", steering.dryRun);
    return steering.send(connection, output, "abort");
  }

  @Command(name = "pause", description = "Holds an upgrade before its next step.")
  int pause(@Mixin Connection connection, @Mixin Output output, @Mixin Steering steering) {
    return steering.send(connection, output, "pause");
  }

  @Command(name = "resume", description = "Lets a paused upgrade go on.")
  int resume(@Mixin Connection connection, @Mixin Output output, @Mixin Steering steering) {
    return steering.send(connection, output, "resume");
  }

  @Command(
      name = "retry-step",
      description = "Orders anew what a host could not do, and a person has made good.")
  int retryStep(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin Steering steering,
      @Option(names = "--host", paramLabel = "HOST", description = WHICH) @Nullable String host) {
    return steering.send(connection, output, "retry-step", "host", host);
  }

  @Command(name = "skip-host", description = "Leaves a host as it is and goes on with the others.")
  int skipHost(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin Steering steering,
      @Option(names = "--host", paramLabel = "HOST", description = WHICH) @Nullable String host) {
    return steering.send(connection, output, "skip-host", "host", host);
  }

  @Command(
      name = "extend-deadline",
      description = "Gives an upgrade more time to begin what it has not begun.")
  int extendDeadline(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin Steering steering,
      @Option(
              names = "--not-after",
              required = true,
              paramLabel = "TIME",
              description = "The new deadline, such as 2026-12-24T18:00:00Z.")
          String notAfter) {
    return steering.send(connection, output, "extend-deadline", "not_after", notAfter);
  }

  @Command(
      name = "approve",
      description = "Lets an upgrade touch its device that waits for that. Not for its author.")
  int approve(@Mixin Connection connection, @Mixin Output output, @Mixin Steering steering) {
    return steering.send(connection, output, "approve");
  }

  @Command(
      name = "deny",
      description = "Ends an upgrade that waits for an approval; nothing was touched.")
  int deny(@Mixin Connection connection, @Mixin Output output, @Mixin Steering steering) {
    return steering.send(connection, output, "deny");
  }

  private static int watch(Rest rest, Output output, String id) {
    // With --json the last word alone goes to the output.
    Screen screen = new Screen(output.json ? System.err : System.out, Terminal.here());
    UpgradeView ended = new Watch(rest, screen).untilEnded(List.of(id), FOR_EVER).getFirst();
    if (output.json) {
      output.show(rest.get(path(id)), JsonNode::toString);
    } else if (!ended.reason().isEmpty()) {
      output.say(ended.outcome() + ": " + ended.reason());
    }
    return ended.isThere() ? 0 : CommandFailed.OTHER_OUTCOME;
  }

  private static String table(JsonNode upgrades) {
    Table table = new Table("UPGRADE", "DEVICE", "RELEASE", "STARTED", "STATE", "FIRST ERROR");
    for (JsonNode upgrade : upgrades) {
      UpgradeView view = UpgradeView.of(upgrade);
      table.row(
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
    return "upgrades/" + Rest.segment(id);
  }
}
