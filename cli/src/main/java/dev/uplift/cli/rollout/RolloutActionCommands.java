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

/// Actions of an operator on a rollout. Public, because picocli does not find inherited methods
/// otherwise.
public abstract class RolloutActionCommands {
  @Command(name = "start", description = "Start a draft, or a scheduled rollout before its time.")
  public int start(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions action) {
    return action.sendAction(connectionOptions, outputOptions, "start");
  }

  @Command(
      name = "pause",
      description = "Pause a rollout: start no further upgrades; running ones finish.")
  public int pause(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions action) {
    return action.sendAction(connectionOptions, outputOptions, "pause");
  }

  @Command(
      name = "resume",
      description = "Resume a paused rollout; earlier failures no longer count.")
  public int resume(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions action) {
    return action.sendAction(connectionOptions, outputOptions, "resume");
  }

  @Command(name = "abort", description = "Abort a rollout; running upgrades finish.")
  public int abort(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions action,
      @Option(names = "--abort-running", description = "Also abort running upgrades.")
          boolean abortRunning,
      @Mixin ConfirmationOption confirmationOption) {
    confirmationOption.confirm("This aborts the rollout " + action.id + "", action.dryRun);
    return action.sendAction(
        connectionOptions,
        outputOptions,
        "abort",
        RestClient.JSON.createObjectNode().put("abort_running", abortRunning));
  }

  @Command(
      name = "approve",
      description =
          "Approve the wave that waits for approval. Not permitted to the author of the rollout.")
  public int approve(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions action) {
    return action.sendAction(connectionOptions, outputOptions, "approve");
  }

  @Command(
      name = "deny",
      description = "Deny the wave that waits for approval; the rollout is paused.")
  public int deny(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions action) {
    return action.sendAction(connectionOptions, outputOptions, "deny");
  }

  @Command(
      name = "next-wave",
      description = "Start the next wave now, without its soak or start time.")
  public int nextWave(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions action) {
    return action.sendAction(connectionOptions, outputOptions, "next-wave");
  }

  @Command(
      name = "skip-remaining",
      description = "Skip the devices of a wave that have not started.")
  public int skipRemaining(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions action,
      @Option(names = "--wave", paramLabel = "NUMBER") @Nullable Integer wave,
      @Mixin ConfirmationOption confirmationOption) {
    confirmationOption.confirm(
        "This skips the devices of the wave that have not started", action.dryRun);
    return action.sendAction(connectionOptions, outputOptions, "skip-remaining", waveBody(wave));
  }

  @Command(name = "roll-back", description = "Revert the upgraded devices of a wave.")
  public int rollBack(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions action,
      @Option(names = "--wave", paramLabel = "NUMBER") @Nullable Integer wave,
      @Mixin ConfirmationOption confirmationOption) {
    confirmationOption.confirm("This reverts the upgraded devices of the wave", action.dryRun);
    return action.sendAction(connectionOptions, outputOptions, "roll-back-wave", waveBody(wave));
  }

  private static ObjectNode waveBody(@Nullable Integer wave) {
    ObjectNode body = RestClient.JSON.createObjectNode();
    return wave == null ? body : body.put("wave", wave);
  }

  @Command(name = "retry-failed", description = "Retry the failed devices.")
  public int retryFailed(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions action,
      @Option(
              names = "--code",
              paramLabel = "CODE",
              description = "Only devices with this error code; may be repeated.")
          @Nullable List<String> codes) {
    ObjectNode body = RestClient.JSON.createObjectNode();
    if (codes != null) {
      codes.forEach(body.putArray("error_codes")::add);
    }
    return action.sendAction(connectionOptions, outputOptions, "retry-failed", body);
  }

  @Command(name = "add", description = "Add a device to the last wave.")
  public int add(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions action,
      @Parameters(index = "1", paramLabel = "DEVICE") String device) {
    ObjectNode body = RestClient.JSON.createObjectNode().put("device", device);
    return action.sendAction(connectionOptions, outputOptions, "devices", body);
  }

  @Command(name = "skip", description = "Skip a device that has not started.")
  public int skip(
      @Mixin ConnectionOptions connectionOptions,
      @Mixin OutputOptions outputOptions,
      @Mixin RolloutActionOptions action,
      @Parameters(index = "1", paramLabel = "DEVICE") String device) {
    return action.sendAction(
        connectionOptions, outputOptions, "devices/" + RestClient.pathSegment(device) + "/skip");
  }
}
