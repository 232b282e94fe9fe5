package dev.uplift.cli.rollout;

import dev.uplift.cli.option.ConfirmationOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Actions of an operator on a rollout. Public, because picocli does not find inherited methods otherwise.
@Command(addMethodSubcommands = false)
public abstract class RolloutActionCommands {
  @Command(name = "start", description = "Start a draft, or a scheduled rollout before its time.")
  public int start(@Mixin RolloutActionOptions action) {
    return action.send("start");
  }

  @Command(name = "pause", description = "Pause a rollout: start no further upgrades; running ones finish.")
  public int pause(@Mixin RolloutActionOptions action) {
    return action.send("pause");
  }

  @Command(name = "resume", description = "Resume a paused rollout; earlier failures no longer count.")
  public int resume(@Mixin RolloutActionOptions action) {
    return action.send("resume");
  }

  @Command(name = "abort", description = "Abort a rollout; running upgrades finish.")
  public int abort(
      @Mixin RolloutActionOptions action,
      @Option(names = "--abort-running", description = "Also abort running upgrades.") boolean abortRunning,
      @Mixin ConfirmationOption confirmation) {
    confirmation.confirm("This aborts the rollout " + action.id, action.change.dryRun());
    return action.send("abort", "abort_running", abortRunning);
  }

  @Command(
      name = "approve",
      description = {
        "Approve the wave that waits for approval.",
        "Not permitted to those who created, changed or started the rollout."
      })
  public int approve(
      @Mixin RolloutActionOptions action,
      @Option(
              names = "--revision",
              paramLabel = "NUMBER",
              description = "The revision that you looked at, as show prints it; default: asks about the current one.")
          @Nullable Long revision,
      @Mixin ConfirmationOption confirmation) {
    return action.send("approve", "revision", revision == null ? action.confirmRevision(confirmation) : revision);
  }

  @Command(name = "deny", description = "Deny the wave that waits for approval; the rollout is paused.")
  public int deny(@Mixin RolloutActionOptions action) {
    return action.send("deny");
  }

  @Command(name = "next-wave", description = "Start the next wave now, without its soak or start time.")
  public int nextWave(@Mixin RolloutActionOptions action) {
    return action.send("next-wave");
  }

  @Command(name = "skip-remaining", description = "Skip the devices of a wave that have not started.")
  public int skipRemaining(
      @Mixin RolloutActionOptions action,
      @Option(names = "--wave", paramLabel = "NUMBER") @Nullable Integer wave,
      @Mixin ConfirmationOption confirmation) {
    confirmation.confirm("This skips the devices of the wave that have not started", action.change.dryRun());
    return action.send("skip-remaining", "wave", wave);
  }

  @Command(name = "roll-back", description = "Revert the upgraded devices of a wave.")
  public int rollBack(
      @Mixin RolloutActionOptions action,
      @Option(names = "--wave", paramLabel = "NUMBER") @Nullable Integer wave,
      @Mixin ConfirmationOption confirmation) {
    confirmation.confirm("This reverts the upgraded devices of the wave", action.change.dryRun());
    return action.send("roll-back-wave", "wave", wave);
  }

  @Command(name = "retry-failed", description = "Retry the failed devices.")
  public int retryFailed(
      @Mixin RolloutActionOptions action,
      @Option(
              names = "--code",
              paramLabel = "CODE",
              description = "Only devices with this error code; may be repeated.")
          @Nullable List<String> codes) {
    return action.send("retry-failed", "error_codes", codes);
  }

  @Command(name = "add", description = "Add devices to the last wave.")
  public int add(
      @Mixin RolloutActionOptions action,
      @Parameters(index = "1..*", arity = "1..*", paramLabel = "DEVICE") List<String> devices) {
    return action.sendForEach("devices", "devices", devices);
  }

  @Command(name = "skip", description = "Skip devices that have not started.")
  public int skip(
      @Mixin RolloutActionOptions action,
      @Parameters(index = "1..*", arity = "1..*", paramLabel = "DEVICE") List<String> devices) {
    return action.sendForEach("skip-devices", "devices", devices);
  }
}
