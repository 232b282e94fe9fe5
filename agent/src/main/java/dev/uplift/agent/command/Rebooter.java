package dev.uplift.agent.command;

import static java.lang.System.Logger.Level.INFO;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.journal.CommandRecord;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Heartbeat.State;
import java.io.IOException;
import java.util.function.Consumer;

/// Reboots the host for a command, at most once. Whether it has happened is what the boot ids say
/// and nothing else, so a boot that nobody ordered counts too.
final class Rebooter {
  private static final System.Logger LOG = System.getLogger(Rebooter.class.getName());

  private final String bootId;
  private final CommandJournal journal;
  private final HostPreconditions preconditions;
  private final HostEnvironment environment;
  private final Consumer<State> onStateChange;

  /// @param onStateChange is told while the host goes down
  Rebooter(
      String bootId,
      CommandJournal journal,
      HostPreconditions preconditions,
      HostEnvironment environment,
      Consumer<State> onStateChange) {
    this.bootId = bootId;
    this.journal = journal;
    this.preconditions = preconditions;
    this.environment = environment;
    this.onStateChange = onStateChange;
  }

  /// Whether the host has been rebooted since the order for it was written down.
  boolean isDone(CommandRecord commandRecord) {
    return !commandRecord.rebootFrom().isEmpty() && !commandRecord.rebootFrom().equals(bootId);
  }

  /// Returns after the reboot, in another process, or when it cannot be.
  CommandResult reboot(CommandJob commandJob, Runnable accepted)
      throws StepFailed, IOException, InterruptedException {
    Command command = commandJob.command();
    if (!command.expect().bootId().equals(bootId)) {
      return new CommandResult.Done();
    }
    if (!isRequested(command)) {
      if (commandJob.isCancelled()) {
        return new CommandResult.Cancelled();
      }
      preconditions.requireVersion(command);
      journal.begin(command.id(), commandJob.text(), command.epoch());
      accepted.run();
    }
    try {
      return requestReboot(commandJob);
    } finally {
      onStateChange.accept(State.RUNNING);
    }
  }

  private boolean isRequested(Command command) {
    return journal
        .find(command.id())
        .map(CommandRecord::rebootFrom)
        .filter(bootId::equals)
        .isPresent();
  }

  private CommandResult requestReboot(CommandJob commandJob)
      throws StepFailed, IOException, InterruptedException {
    Command command = commandJob.command();
    if (!isRequested(command)) {
      if (commandJob.isCancelled()) {
        return new CommandResult.Cancelled();
      }
      journal.recordReboot(command.id(), bootId);
      onStateChange.accept(State.STOPPING);
      LOG.log(INFO, "reboots the host for command {0}", command.id());
      int code = environment.reboot().start(line -> commandJob.log().add(line));
      if (code != 0) {
        throw StepFailed.needsPerson(
            "reboot-failed", "the reboot command ended with " + code + ", the host is up");
      }
    }
    onStateChange.accept(State.STOPPING);
    // The end of this process ends the wait, or there is no end.
    Thread.sleep(environment.intervals().rebootTimeout());
    throw StepFailed.retryable(
        "host-not-rebooted",
        "the reboot was ordered, but the host is still up after "
            + environment.intervals().rebootTimeout().toSeconds()
            + " s");
  }
}
