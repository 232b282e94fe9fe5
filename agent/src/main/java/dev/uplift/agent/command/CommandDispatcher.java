package dev.uplift.agent.command;

import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.journal.CommandRecord;
import dev.uplift.agent.report.OutcomeReporter;
import dev.uplift.agent.trust.RejectionCounter;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import java.io.IOException;
import java.util.Optional;

/// Sees to it that what was read becomes what it may become. Never waits for the worker.
final class CommandDispatcher {
  private static final System.Logger LOG = System.getLogger(CommandDispatcher.class.getName());

  private final CommandValidator validator;
  private final CommandJournal journal;
  private final OutcomeReporter outcomeReporter;
  private final CommandWorker worker;
  private final RejectionCounter rejections;

  CommandDispatcher(
      CommandValidator validator,
      CommandJournal journal,
      OutcomeReporter outcomeReporter,
      CommandWorker worker,
      RejectionCounter rejections) {
    this.validator = validator;
    this.journal = journal;
    this.outcomeReporter = outcomeReporter;
    this.worker = worker;
    this.rejections = rejections;
  }

  /// Whether it was something new.
  ///
  /// @param sendsAgain whether a stored answer is to be sent again
  boolean dispatch(ReceivedCommand receivedCommand, boolean sendsAgain)
      throws InterruptedException {
    return switch (validator.validate(receivedCommand)) {
      case CommandValidation.Rejected(String why) -> {
        rejections.recordCommand(receivedCommand.sequence(), why);
        yield false;
      }
      case CommandValidation.AlreadyAnswered(CommandRecord commandRecord) ->
          resend(commandRecord, sendsAgain);
      case CommandValidation.InProgress() -> false;
      case CommandValidation.OtherInstance() -> false;
      case CommandValidation.AnsweredNow(
              Command command,
              long epoch,
              CommandResult commandResult) -> {
        outcomeReporter.report(command.id(), command, epoch, new Event.Outcome(commandResult, ""));
        yield true;
      }
      case CommandValidation.Accepted(Command command, String text) ->
          start(command, text, sendsAgain);
    };
  }

  private boolean resend(CommandRecord commandRecord, boolean sendsAgain) {
    if (sendsAgain) {
      outcomeReporter.resend(commandRecord);
    }
    return false;
  }

  private boolean start(Command command, String text, boolean sendsAgain)
      throws InterruptedException {
    return switch (command.action()) {
      case INSPECT -> {
        outcomeReporter.reportState(command);
        yield true;
      }
      case CANCEL -> cancel(command, sendsAgain);
      case PREPARE, UPGRADE, REBOOT, COMMIT, ROLLBACK, STOP ->
          worker.offer(new CommandJob(command, text, false));
    };
  }

  /// The answer is the first command's: that nothing has changed, or how it really ended.
  private boolean cancel(Command cancel, boolean sendsAgain) throws InterruptedException {
    recordEpoch(cancel);
    String first = cancel.cancels();
    if (worker.cancel(first)) {
      return true;
    }
    Optional<CommandRecord> op = journal.find(first);
    if (op.isEmpty()) {
      // Never seen. Settled now, it will not be done when it comes after all.
      outcomeReporter.report(
          first, cancel, cancel.epoch(), new Event.Outcome(new CommandResult.Cancelled(), ""));
      return true;
    }
    if (op.get().isAnswered()) {
      return resend(op.get(), sendsAgain);
    }
    // Begun by an agent that was killed: how far it came, only the driver can find out.
    return worker.offer(CommandJob.cancelled(op.get()));
  }

  private void recordEpoch(Command command) {
    try {
      journal.recordEpoch(command.epoch());
    } catch (IOException e) {
      LOG.log(WARNING, "epoch {0} cannot be kept: {1}", command.epoch(), e.toString());
    }
  }
}
