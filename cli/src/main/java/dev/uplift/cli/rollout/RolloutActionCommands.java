package dev.uplift.cli.rollout;

import dev.uplift.cli.option.ConfirmationOption;
import dev.uplift.cli.option.ConnectionOptions;
import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.rest.RestClient;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/// What a person may tell a rollout. Public, or else picocli does not find them.
abstract class RolloutActionCommands {
  @Command(name = "start", description = "Starts a draft, or a planned rollout before its time.")
  public int start(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions word) {
    return word.sendAction(connectionOptions, outputOptions, "start");
  }

  @Command(name = "pause", description = "Starts nothing more; what is in work goes on.")
  public int pause(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions word) {
    return word.sendAction(connectionOptions, outputOptions, "pause");
  }

  @Command(name = "resume", description = "Goes on; failures until now are forgiven.")
  public int resume(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions word) {
    return word.sendAction(connectionOptions, outputOptions, "resume");
  }

  @Command(name = "abort", description = "Ends a rollout; what is in work goes on to its end.")
  public int abort(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions word,
      @Option(names = "--hard", description = "Aborts what is in work, too.") boolean hard,
      @Mixin ConfirmationOption confirmationOption) {
    confirmationOption.confirm("This ends the rollout " + word.id + " for good", word.dryRun);
    return word.sendAction(
        connectionOptions,
        outputOptions,
        "abort",
        RestClient.JSON.createObjectNode().put("hard", hard));
  }

  @Command(
      name = "approve",
      description = "Lets the wave begin that waits for it. Not for who made the rollout.")
  public int approve(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions word) {
    return word.sendAction(connectionOptions, outputOptions, "approve");
  }

  @Command(name = "deny", description = "Does not let it begin; the rollout is paused.")
  public int deny(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions word) {
    return word.sendAction(connectionOptions, outputOptions, "deny");
  }

  @Command(name = "next-wave", description = "Begins the next wave now; skips soak and time.")
  public int nextWave(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions word) {
    return word.sendAction(connectionOptions, outputOptions, "next-wave");
  }

  @Command(name = "mark-done", description = "Leaves out what has not begun of a wave.")
  public int markDone(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions word,
      @Option(names = "--wave", paramLabel = "NUMBER") @Nullable Integer wave,
      @Mixin ConfirmationOption confirmationOption) {
    confirmationOption.confirm("This skips what has not begun of the wave", word.dryRun);
    return word.sendAction(connectionOptions, outputOptions, "mark-done", waveBody(wave));
  }

  @Command(name = "roll-back", description = "Takes the upgraded devices of a wave back.")
  public int rollBack(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions word,
      @Option(names = "--wave", paramLabel = "NUMBER") @Nullable Integer wave,
      @Mixin ConfirmationOption confirmationOption) {
    confirmationOption.confirm("This takes the upgraded devices of the wave back", word.dryRun);
    return word.sendAction(connectionOptions, outputOptions, "roll-back", waveBody(wave));
  }

  private static ObjectNode waveBody(@Nullable Integer wave) {
    ObjectNode body = RestClient.JSON.createObjectNode();
    return wave == null ? body : body.put("wave", wave);
  }

  @Command(name = "retry-failed", description = "Tries the failed devices once more.")
  public int retryFailed(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions word,
      @Option(names = "--code", paramLabel = "CODE", description = "Only those; may be repeated.")
          @Nullable List<String> codes) {
    ObjectNode body = RestClient.JSON.createObjectNode();
    if (codes != null) {
      codes.forEach(body.putArray("codes")::add);
    }
    return word.sendAction(connectionOptions, outputOptions, "retry-failed", body);
  }

  @Command(name = "add", description = "Takes a device in, as one of the last wave.")
  public int add(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions word,
      @Parameters(index = "1", paramLabel = "DEVICE") String device) {
    ObjectNode body = RestClient.JSON.createObjectNode().put("device", device);
    return word.sendAction(connectionOptions, outputOptions, "devices", body);
  }

  @Command(name = "skip", description = "Leaves a device out that has not begun.")
  public int skip(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions word,
      @Parameters(index = "1", paramLabel = "DEVICE") String device) {
    return word.sendAction(
        connectionOptions, outputOptions, "devices/" + RestClient.pathSegment(device) + "/skip");
  }
}
