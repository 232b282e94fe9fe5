package dev.uplift.agent.command;

import static java.lang.System.Logger.Level.ERROR;

import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.journal.CommandRecord;
import dev.uplift.agent.report.EventFactory;
import dev.uplift.agent.report.OutcomeReporter;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.WireErrorClass;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Carries out one command at a time. What comes meanwhile stays in the slot; when the worker is
/// free again, `freed` is told.
final class CommandWorker {
  private static final System.Logger LOG = System.getLogger(CommandWorker.class.getName());

  private final CommandJournal journal;
  private final StepExecutor stepExecutor;
  private final EventFactory eventFactory;
  private final OutcomeReporter outcomeReporter;
  private final Runnable onFree;
  private @Nullable CommandJob current;

  CommandWorker(
      CommandJournal journal,
      StepExecutor stepExecutor,
      EventFactory eventFactory,
      OutcomeReporter outcomeReporter,
      Runnable onFree) {
    this.journal = journal;
    this.stepExecutor = stepExecutor;
    this.eventFactory = eventFactory;
    this.outcomeReporter = outcomeReporter;
    this.onFree = onFree;
  }

  /// Whether work on it begins. If not, it is to be offered again when the worker is free.
  synchronized boolean offer(CommandJob commandJob) {
    CommandJob busyWith = current;
    if (busyWith == null) {
      current = commandJob;
      notifyAll();
      return true;
    }
    if (!busyWith.command().id().equals(commandJob.command().id())) {
      busyWith.otherWaiting();
    }
    return false;
  }

  synchronized boolean isRunning(String commandId) {
    return current != null && current.command().id().equals(commandId);
  }

  /// Whether this is what is in work; it is told to stop if it can.
  synchronized boolean cancel(String commandId) {
    CommandJob busyWith = current;
    if (busyWith == null || !busyWith.command().id().equals(commandId)) {
      return false;
    }
    busyWith.cancel();
    return true;
  }

  /// Ends with an interrupt, which leaves what is in work to the next agent.
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

  private synchronized CommandJob next() throws InterruptedException {
    while (current == null) {
      wait();
    }
    return current;
  }

  private void execute(CommandJob commandJob) throws InterruptedException {
    Optional<CommandRecord> known = journal.find(commandJob.command().id());
    if (known.filter(CommandRecord::isAnswered).isPresent()) {
      // Between the check and now.
      return;
    }
    CommandResult commandResult;
    try {
      commandResult =
          stepExecutor.execute(
              commandJob, () -> eventFactory.publishAccepted(commandJob.command()));
    } catch (RuntimeException e) {
      LOG.log(ERROR, "a mistake of ours while at " + commandJob.command().id(), e);
      commandJob.log().add(e.toString());
      commandResult = new CommandResult.Failed("agent-error", WireErrorClass.FINAL, e.toString());
    }
    if (Thread.interrupted()) {
      // Broken off, because the agent ends: no answer, for the command has not ended.
      throw new InterruptedException();
    }
    outcomeReporter.report(commandJob.command(), commandResult, commandJob.log().toString());
    stepExecutor.stopIfRequested(commandJob.command(), commandResult);
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
