package dev.uplift.cli;

import dev.uplift.cli.rest.Rest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/// What a person may tell a rollout. Public, or else picocli does not find them.
abstract class RolloutSteering {
  @Command(name = "start", description = "Starts a draft, or a planned rollout before its time.")
  public int start(@Mixin Connection connection, @Mixin Output output, @Mixin RolloutWord word) {
    return word.send(connection, output, "start");
  }

  @Command(name = "pause", description = "Starts nothing more; what is in work goes on.")
  public int pause(@Mixin Connection connection, @Mixin Output output, @Mixin RolloutWord word) {
    return word.send(connection, output, "pause");
  }

  @Command(name = "resume", description = "Goes on; failures until now are forgiven.")
  public int resume(@Mixin Connection connection, @Mixin Output output, @Mixin RolloutWord word) {
    return word.send(connection, output, "resume");
  }

  @Command(name = "abort", description = "Ends a rollout; what is in work goes on to its end.")
  public int abort(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin RolloutWord word,
      @Option(names = "--hard", description = "Aborts what is in work, too.") boolean hard,
      @Mixin Confirmed confirmed) {
    confirmed.ask("This ends the rollout " + word.id + " for good", word.dryRun);
    return word.send(connection, output, "abort", Rest.JSON.createObjectNode().put("hard", hard));
  }

  @Command(
      name = "approve",
      description = "Lets the wave begin that waits for it. Not for who made the rollout.")
  public int approve(@Mixin Connection connection, @Mixin Output output, @Mixin RolloutWord word) {
    return word.send(connection, output, "approve");
  }

  @Command(name = "deny", description = "Does not let it begin; the rollout is paused.")
  public int deny(@Mixin Connection connection, @Mixin Output output, @Mixin RolloutWord word) {
    return word.send(connection, output, "deny");
  }

  @Command(name = "next-wave", description = "Begins the next wave now; skips soak and time.")
  public int nextWave(@Mixin Connection connection, @Mixin Output output, @Mixin RolloutWord word) {
    return word.send(connection, output, "next-wave");
  }

  @Command(name = "mark-done", description = "Leaves out what has not begun of a wave.")
  public int markDone(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin RolloutWord word,
      @Option(names = "--wave", paramLabel = "NUMBER") @Nullable Integer wave,
      @Mixin Confirmed confirmed) {
    confirmed.ask("This skips what has not begun of the wave", word.dryRun);
    return word.send(connection, output, "mark-done", ofWave(wave));
  }

  @Command(name = "roll-back", description = "Takes the upgraded devices of a wave back.")
  public int rollBack(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin RolloutWord word,
      @Option(names = "--wave", paramLabel = "NUMBER") @Nullable Integer wave,
      @Mixin Confirmed confirmed) {
    confirmed.ask("This takes the upgraded devices of the wave back", word.dryRun);
    return word.send(connection, output, "roll-back", ofWave(wave));
  }

  private static ObjectNode ofWave(@Nullable Integer wave) {
    ObjectNode body = Rest.JSON.createObjectNode();
    return wave == null ? body : body.put("wave", wave);
  }

  @Command(name = "retry-failed", description = "Tries the failed devices once more.")
  public int retryFailed(
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

  @Command(name = "add", description = "Takes a device in, as one of the last wave.")
  public int add(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin RolloutWord word,
      @Parameters(index = "1", paramLabel = "DEVICE") String device) {
    ObjectNode body = Rest.JSON.createObjectNode().put("device", device);
    return word.send(connection, output, "devices", body);
  }

  @Command(name = "skip", description = "Leaves a device out that has not begun.")
  public int skip(
      @Mixin Connection connection,
      @Mixin Output output,
      @Mixin RolloutWord word,
      @Parameters(index = "1", paramLabel = "DEVICE") String device) {
    return word.send(connection, output, "devices/" + Rest.segment(device) + "/skip");
  }
}
