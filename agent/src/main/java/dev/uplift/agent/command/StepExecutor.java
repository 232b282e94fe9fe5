package dev.uplift.agent.command;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.WireErrorClass;
import java.io.IOException;

/// Carries out a command that has passed the gate.
final class StepExecutor {
  private final CommandJournal journal;
  private final ReleaseVerifier releaseVerifier;
  private final HostPreconditions preconditions;
  private final RebootAndStop rebootAndStop;
  private final RetryingStep retryingStep;
  private final RollbackGuard rollbackGuard;

  StepExecutor(
      CommandJournal journal,
      ReleaseVerifier releaseVerifier,
      HostPreconditions preconditions,
      RebootAndStop rebootAndStop,
      RetryingStep retryingStep) {
    this.journal = journal;
    this.releaseVerifier = releaseVerifier;
    this.preconditions = preconditions;
    this.rebootAndStop = rebootAndStop;
    this.retryingStep = retryingStep;
    this.rollbackGuard = new RollbackGuard(journal);
  }

  /// How it ended; nothing that counts where the thread is interrupted.
  ///
  /// @param accepted is told once the command has passed all checks
  CommandResult execute(CommandJob commandJob, Runnable accepted) throws InterruptedException {
    try {
      return switch (commandJob.command().action()) {
        case PREPARE, UPGRADE, COMMIT, ROLLBACK -> runDriver(commandJob, accepted);
        case REBOOT -> rebootAndStop.reboot(commandJob, accepted);
        case STOP -> rebootAndStop.stop(commandJob, accepted);
        case INSPECT, CANCEL -> throw new IllegalStateException("no work for the worker");
      };
    } catch (StepFailed e) {
      return e.result();
    } catch (IOException e) {
      // What cannot be remembered must not be begun.
      return new CommandResult.Failed("state-not-saved", WireErrorClass.NEEDS_PERSON, e.toString());
    }
  }

  /// What is still to be done once the answer is given.
  void stopIfRequested(Command command, CommandResult commandResult) throws InterruptedException {
    rebootAndStop.stopIfRequested(command, commandResult);
  }

  private CommandResult runDriver(CommandJob commandJob, Runnable accepted)
      throws StepFailed, IOException, InterruptedException {
    Command command = commandJob.command();
    ReleaseVerifier.VerifiedRelease verifiedRelease = releaseVerifier.verify(command);
    rebootAndStop.requireNoHandover(command, verifiedRelease.release());
    boolean isBegun = journal.find(command.id()).isPresent();
    if (!isBegun) {
      rollbackGuard.check(command, preconditions.check(command, verifiedRelease.release()));
    }
    journal.begin(command.id(), commandJob.text(), command.epoch());
    accepted.run();
    CommandResult commandResult =
        retryingStep.run(commandJob, verifiedRelease.release(), verifiedRelease.driver());
    recordResult(command, verifiedRelease.release(), commandResult);
    return commandResult;
  }

  private void recordResult(Command command, ReleaseManifest release, CommandResult commandResult)
      throws IOException {
    if (commandResult instanceof CommandResult.Failed
        || commandResult instanceof CommandResult.Cancelled) {
      return;
    }
    switch (command.action()) {
      case UPGRADE -> journal.recordInstalled(release.packageName(), release.sequence());
      case ROLLBACK -> journal.recordRolledBack(release.packageName(), release.sequence());
      case PREPARE, COMMIT, REBOOT, STOP, INSPECT, CANCEL -> {}
    }
  }
}
