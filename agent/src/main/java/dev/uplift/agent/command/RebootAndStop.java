package dev.uplift.agent.command;

import dev.uplift.agent.driver.AgentHandover;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.journal.CommandRecord;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.ReleaseManifest;
import java.io.IOException;
import java.time.Duration;

/// How this process comes to its end: with its host, or for another agent that takes over.
final class RebootAndStop {
  static final String AGENT_KIND = "agent";

  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);

  private final CommandJournal journal;
  private final Rebooter rebooter;
  private final AgentHandover agentHandover;

  RebootAndStop(CommandJournal journal, Rebooter rebooter, AgentHandover agentHandover) {
    this.journal = journal;
    this.rebooter = rebooter;
    this.agentHandover = agentHandover;
  }

  /// @throws StepFailed `handover-in-progress` where another agent waits, and this is not about it
  void requireNoHandover(Command command, ReleaseManifest release) throws StepFailed {
    if (agentHandover.isInProgress() && !release.kind().equals(AGENT_KIND)) {
      throw StepFailed.retryable(
          "handover-in-progress",
          command.action().wireName() + " waits until one agent is left on this host");
    }
  }

  CommandResult reboot(CommandJob commandJob, Runnable accepted)
      throws StepFailed, IOException, InterruptedException {
    if (agentHandover.isInProgress()) {
      throw StepFailed.retryable(
          "handover-in-progress", "the reboot waits until one agent is left");
    }
    return rebooter.reboot(commandJob, accepted);
  }

  /// The answer is that of an agent that is about to end; [#stopIfRequested] ends it.
  CommandResult stop(CommandJob commandJob, Runnable accepted) throws StepFailed, IOException {
    Command command = commandJob.command();
    if (commandJob.isCancelled()) {
      return new CommandResult.Cancelled();
    }
    if (command.instance().isEmpty()) {
      throw StepFailed.fatal("no-instance", "a stop has to name the instance that is to end");
    }
    // Written down first: where this process dies now, the next agent knows that it was to end.
    journal.begin(command.id(), commandJob.text(), command.epoch());
    agentHandover.confirmSuccessor();
    accepted.run();
    return new CommandResult.Done();
  }

  /// A `stop` that was answered well ends the process, once its answer is said or for a while
  /// cannot be: the next agent says it then.
  void stopIfRequested(Command command, CommandResult commandResult) throws InterruptedException {
    if (!(commandResult instanceof CommandResult.Done) || !isStop(command)) {
      return;
    }
    Duration within = command.deadline().isZero() ? ANSWER_TIMEOUT : command.deadline();
    long until =
        System.nanoTime()
            + (within.compareTo(ANSWER_TIMEOUT) < 0 ? within : ANSWER_TIMEOUT).toNanos();
    while (System.nanoTime() < until
        && journal.find(command.id()).filter(CommandRecord::sent).isEmpty()) {
      Thread.sleep(Duration.ofMillis(20));
    }
    agentHandover.exitProcess();
  }

  static boolean isStop(Command command) {
    return command.action() == dev.uplift.protocol.CommandAction.STOP;
  }
}
