package dev.uplift.agent.command;

import static java.lang.System.Logger.Level.ERROR;

import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.journal.CommandRecord;
import dev.uplift.agent.report.EventPublisher;
import dev.uplift.agent.transport.WakeSignal;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.WireErrorClass;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Executes one command at a time. A command that comes meanwhile stays in the stream; the worker calls `onFree` when
/// it can take it.
final class CommandWorker {
  private static final System.Logger LOG = System.getLogger(CommandWorker.class.getName());

  private final CommandJournal journal;
  private final StepExecutor stepExecutor;
  private final RebootAndStop rebootAndStop;
  private final EventPublisher eventPublisher;
  private final Runnable onFree;
  private final WakeSignal offered = new WakeSignal();
  private volatile @Nullable CommandJob current;

  CommandWorker(
      CommandJournal journal,
      StepExecutor stepExecutor,
      RebootAndStop rebootAndStop,
      EventPublisher eventPublisher,
      Runnable onFree) {
    this.journal = journal;
    this.stepExecutor = stepExecutor;
    this.rebootAndStop = rebootAndStop;
    this.eventPublisher = eventPublisher;
    this.onFree = onFree;
  }

  /// Returns whether work on it begins. If not, offer it again when the worker is free.
  synchronized boolean offer(CommandJob commandJob) {
    CommandJob busyWith = current;
    if (busyWith == null) {
      current = commandJob;
      offered.signal();
      return true;
    }
    if (!busyWith.command().id().equals(commandJob.command().id())) {
      busyWith.otherWaiting();
    }
    return false;
  }

  boolean isRunning(String commandId) {
    CommandJob busyWith = current;
    return busyWith != null && busyWith.command().id().equals(commandId);
  }

  /// Cancels the command if it is being executed, and returns whether it is.
  synchronized boolean cancel(String commandId) {
    CommandJob busyWith = current;
    if (busyWith == null || !busyWith.command().id().equals(commandId)) {
      return false;
    }
    busyWith.cancel();
    return true;
  }

  /// Ends with an interrupt, which leaves the unfinished command to the next agent.
  void run() {
    try {
      while (true) {
        CommandJob commandJob = next();
        execute(commandJob);
        finish(commandJob);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private CommandJob next() throws InterruptedException {
    CommandJob next = current;
    while (next == null) {
      offered.await();
      next = current;
    }
    return next;
  }

  private void execute(CommandJob commandJob) throws InterruptedException {
    Optional<CommandRecord> known = journal.find(commandJob.command().id());
    if (known.filter(CommandRecord::isAnswered).isPresent()) {
      // Answered since it was validated.
      return;
    }
    CommandResult commandResult;
    try {
      commandResult = stepExecutor.execute(commandJob);
    } catch (RuntimeException e) {
      LOG.log(ERROR, "internal error in command " + commandJob.command().id(), e);
      commandJob.log(e.toString());
      commandResult = new CommandResult.Failed("agent-error", WireErrorClass.FINAL, e.toString());
    }
    if (Thread.interrupted()) {
      // The agent ends: no outcome, because the command has not ended.
      throw new InterruptedException();
    }
    eventPublisher.publishOutcome(commandJob.command(), commandResult, commandJob.logTail());
    rebootAndStop.exitIfStopped(commandJob, commandResult);
  }

  private void finish(CommandJob commandJob) {
    synchronized (this) {
      current = null;
    }
    if (commandJob.isOtherWaiting()) {
      onFree.run();
    }
  }
}
