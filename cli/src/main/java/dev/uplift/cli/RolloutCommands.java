package dev.uplift.cli;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.rollout.RolloutText;
import dev.uplift.cli.rollout.RolloutView;
import dev.uplift.cli.rollout.RolloutWatch;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Terminal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Rollouts: checked, started, shown, steered.
@Command(
    name = "rollout",
    synopsisSubcommandLabel = "COMMAND",
    description = "Brings releases to many devices, wave by wave; shows and steers that.")
final class RolloutCommands {
  private static final Duration LOOK = Duration.ofSeconds(1);

  @Command(
      name = "create",
      sortOptions = false,
      description = "Makes a rollout and starts it. Prints its id.")
  int create(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin RolloutWishes wishes,
      @Option(names = "--draft", description = "Does nothing until `rollout start`.") boolean draft,
      @Option(names = "--watch", description = "Stays until it has ended.") boolean watch,
      @Mixin DryRun dryRun) {
    if (dryRun.only) {
      return validate(connection, output, wishes);
    }
    ObjectNode body = wishes.body();
    if (draft) {
      body.put("draft", true);
    }
    try (Rest rest = connection.open()) {
      JsonNode made = post(rest, "rollouts", wishes.id(), body);
      String id = made.path("id").asString("");
      if (watch && !draft) {
        return watch(rest, output, id);
      }
      output.show(made, _ -> id);
    }
    return 0;
  }

  @Command(
      name = "validate",
      sortOptions = false,
      description = "Says who would be in which wave, and who would be left out. Makes nothing.")
  int validate(@Mixin Connection connection, @Mixin Output output, @Mixin RolloutWishes wishes) {
    try (Rest rest = connection.open()) {
      JsonNode preview = post(rest, "rollouts?validate=true", wishes.id(), wishes.body());
      output.show(preview, RolloutText::preview);
    }
    return 0;
  }

  private static JsonNode post(Rest rest, String path, String id, ObjectNode body) {
    return rest.send("POST", path, body, Map.of("Idempotency-Key", id));
  }

  @Command(name = "list", description = "Rollouts, newest first.")
  int list(
      @Mixin Connection connection,
      @Mixin Output output,
      @Option(names = "--state", paramLabel = "STATE", defaultValue = "") String state,
      @Option(names = "--package", paramLabel = "NAME", defaultValue = "") String name) {
    Map<String, String> wanted = Map.of("state", state, "package", name);
    try (Rest rest = connection.open()) {
      output.show(rest.all("rollouts", wanted), RolloutText::list);
    }
    return 0;
  }

  @Command(name = "show", description = "One rollout, with its waves.")
  int show(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id) {
    try (Rest rest = connection.open()) {
      output.show(rest.get(path(id)), RolloutText::page);
    }
    return 0;
  }

  @Command(
      name = "watch",
      description = {
        "Shows a rollout until it has ended, with a bar per wave.",
        "Ends with 0 when every device runs the release then, else with 3."
      })
  int watch(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id) {
    try (Rest rest = connection.open()) {
      return watch(rest, output, id);
    }
  }

  private static int watch(Rest rest, Output output, String id) {
    // With --json the last word alone goes to the output.
    Screen screen = new Screen(output.json ? System.err : System.out, Terminal.here());
    RolloutView ended = new RolloutWatch(rest, screen, LOOK).untilEnded(id);
    output.show(ended.whole(), _ -> ended.outcome() + ": " + ended.counts().inWords());
    return ended.isThere() ? 0 : CommandFailed.OTHER_OUTCOME;
  }

  @Command(name = "devices", description = "The devices of a rollout.")
  int devices(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--wave", paramLabel = "NUMBER", defaultValue = "") String wave,
      @Option(names = "--state", paramLabel = "STATE", defaultValue = "") String state,
      @Option(names = "--outcome", paramLabel = "OUTCOME", defaultValue = "") String outcome) {
    Map<String, String> wanted = Map.of("wave", wave, "state", state, "outcome", outcome);
    return part(connection, output, path(id) + "/devices", wanted, RolloutText::devices);
  }

  @Command(name = "failures", description = "The first errors of a rollout, by their codes.")
  int failures(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id) {
    return part(connection, output, path(id) + "/failures", Map.of(), RolloutText::failures);
  }

  @Command(name = "decisions", description = "What was decided about a rollout, and why.")
  int decisions(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id) {
    return part(connection, output, path(id) + "/decisions", Map.of(), RolloutText::decisions);
  }

  @Command(name = "left-out", description = "Who was selected and takes no part.")
  int leftOut(
      @Mixin Connection connection,
      @Mixin Output output,
      @Parameters(paramLabel = "ID") String id) {
    return part(connection, output, path(id) + "/left-out", Map.of(), RolloutText::leftOut);
  }

  private static int part(
      Connection connection,
      Output output,
      String path,
      Map<String, String> wanted,
      Function<JsonNode, String> text) {
    try (Rest rest = connection.open()) {
      output.show(rest.all(path, wanted), text);
    }
    return 0;
  }

  @Command(name = "start", description = "Starts a draft, or a planned rollout before its time.")
  int start(@Mixin Connection connection, @Mixin Output output, @Mixin RolloutWord word) {
    return word.send(connection, output, "start");
  }

  @Command(name = "pause", description = "Starts nothing more; what is in work goes on.")
  int pause(@Mixin Connection connection, @Mixin Output output, @Mixin RolloutWord word) {
    return word.send(connection, output, "pause");
  }

  @Command(name = "resume", description = "Goes on; failures until now are forgiven.")
  int resume(@Mixin Connection connection, @Mixin Output output, @Mixin RolloutWord word) {
    return word.send(connection, output, "resume");
  }

  @Command(name = "abort", description = "Ends a rollout; what is in work goes on to its end.")
  int abort(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin RolloutWord word,
      @Option(names = "--hard", description = "Aborts what is in work, too.") boolean hard,
      @Mixin Confirmed confirmed) {
    word.confirm(confirmed, "This ends the rollout " + word.id + " for good");
    return word.send(connection, output, "abort", Rest.JSON.createObjectNode().put("hard", hard));
  }

  @Command(
      name = "approve",
      description = "Lets the wave begin that waits for it. Not for who made the rollout.")
  int approve(@Mixin Connection connection, @Mixin Output output, @Mixin RolloutWord word) {
    return word.send(connection, output, "approve");
  }

  @Command(name = "deny", description = "Does not let it begin; the rollout is paused.")
  int deny(@Mixin Connection connection, @Mixin Output output, @Mixin RolloutWord word) {
    return word.send(connection, output, "deny");
  }

  @Command(name = "next-wave", description = "Begins the next wave now; skips soak and time.")
  int nextWave(@Mixin Connection connection, @Mixin Output output, @Mixin RolloutWord word) {
    return word.send(connection, output, "next-wave");
  }

  @Command(name = "mark-done", description = "Leaves out what has not begun of a wave.")
  int markDone(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin RolloutWord word,
      @Option(names = "--wave", paramLabel = "NUMBER") @Nullable Integer wave,
      @Mixin Confirmed confirmed) {
    word.confirm(confirmed, "This skips what has not begun of the wave");
    return word.send(connection, output, "mark-done", ofWave(wave));
  }

  @Command(name = "roll-back", description = "Takes the upgraded devices of a wave back.")
  int rollBack(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin RolloutWord word,
      @Option(names = "--wave", paramLabel = "NUMBER") @Nullable Integer wave,
      @Mixin Confirmed confirmed) {
    word.confirm(confirmed, "This takes the upgraded devices of the wave back");
    return word.send(connection, output, "roll-back", ofWave(wave));
  }

  private static ObjectNode ofWave(@Nullable Integer wave) {
    ObjectNode body = Rest.JSON.createObjectNode();
    return wave == null ? body : body.put("wave", wave);
  }

  @Command(name = "retry-failed", description = "Tries the failed devices once more.")
  int retryFailed(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin RolloutWord word,
      @Option(names = "--code", paramLabel = "CODE", description = "Only those; may be repeated.")
          @Nullable List<String> codes) {
    ObjectNode body = Rest.JSON.createObjectNode();
    if (codes != null) {
      codes.forEach(body.putArray("codes")::add);
    }
    return word.send(connection, output, "retry-failed", body);
  }

  @Command(name = "add", description = "Takes a device in, as the last of the current wave.")
  int add(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin RolloutWord word,
      @Parameters(index = "1", paramLabel = "DEVICE") String device) {
    ObjectNode body = Rest.JSON.createObjectNode().put("device", device);
    return word.send(connection, output, "devices", body);
  }

  @Command(name = "skip", description = "Leaves a device out that has not begun.")
  int skip(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin RolloutWord word,
      @Parameters(index = "1", paramLabel = "DEVICE") String device) {
    return word.send(connection, output, "devices/" + Rest.segment(device) + "/skip");
  }

  private static String path(String id) {
    return "rollouts/" + Rest.segment(id);
  }
}
