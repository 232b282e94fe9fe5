package dev.uplift.agent.command;

import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.command.CommandValidator.Validation;
import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.journal.CommandRecord;
import dev.uplift.agent.report.EventPublisher;
import dev.uplift.agent.trust.RejectionCounter;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Order;
import dev.uplift.protocol.WireErrorClass;
import java.io.IOException;
import java.util.Optional;

/// Validates what was read, and answers it or hands it to the worker. Never waits for the worker.
final class CommandDispatcher {
  private static final System.Logger LOG = System.getLogger(CommandDispatcher.class.getName());

  private final CommandValidator validator;
  private final CommandJournal journal;
  private final EventPublisher eventPublisher;
  private final CommandWorker worker;
  private final RejectionCounter rejections;

  CommandDispatcher(
      CommandValidator validator,
      CommandJournal journal,
      EventPublisher eventPublisher,
      CommandWorker worker,
      RejectionCounter rejections) {
    this.validator = validator;
    this.journal = journal;
    this.eventPublisher = eventPublisher;
    this.worker = worker;
    this.rejections = rejections;
  }

  /// Returns whether it was something new.
  ///
  /// @param resends whether a stored outcome is published again
  boolean dispatch(ReceivedCommand receivedCommand, boolean resends) throws InterruptedException {
    return switch (validator.validate(receivedCommand)) {
      case Validation.Rejected(String why) -> {
        rejections.recordCommand(receivedCommand.sequence(), why);
        yield false;
      }
      case Validation.AlreadyAnswered(CommandRecord commandRecord) -> resend(commandRecord, resends);
      case Validation.InProgress() -> false;
      case Validation.OtherInstance() -> false;
      case Validation.AnsweredNow(Command command, long epoch, CommandResult commandResult) -> {
        eventPublisher.setTrace(command.id(), receivedCommand.trace());
        eventPublisher.publishOutcome(command.id(), command, epoch, new Event.Outcome(commandResult, ""));
        yield true;
      }
      case Validation.Accepted accepted -> {
        eventPublisher.setTrace(accepted.command().id(), receivedCommand.trace());
        Optional<IOException> notSaved = recordEpoch(accepted);
        boolean isBlocked = notSaved.isPresent() && (accepted.command().order() instanceof Order.StepOrder);
        yield isBlocked
            ? answerNotSaved(accepted.command(), notSaved.orElseThrow())
            : start(accepted.command(), accepted.text(), resends);
      }
    };
  }

  /// Returns why it could not be stored.
  private Optional<IOException> recordEpoch(Validation.Accepted accepted) {
    if (!accepted.countsEpoch()) {
      return Optional.empty();
    }
    try {
      journal.recordEpoch(accepted.keyId(), accepted.epoch());
      return Optional.empty();
    } catch (IOException e) {
      LOG.log(WARNING, "epoch {0} cannot be stored: {1}", accepted.epoch(), e.toString());
      return Optional.of(e);
    }
  }

  /// A command that cannot be recorded must not begin.
  private boolean answerNotSaved(Command command, IOException e) throws InterruptedException {
    eventPublisher.publishOutcome(
        command, new CommandResult.Failed("state-not-saved", WireErrorClass.NEEDS_PERSON, e.toString()), "");
    return true;
  }

  private boolean resend(CommandRecord commandRecord, boolean resends) {
    if (resends) {
      eventPublisher.resend(commandRecord);
    }
    return false;
  }

  private boolean start(Command command, String text, boolean resends) throws InterruptedException {
    return switch (command.order()) {
      case Order.Inspect _ -> {
        eventPublisher.publishState(command);
        yield true;
      }
      case Order.Cancel cancel -> cancel(command, cancel.commandId(), resends);
      case Order.StepOrder order -> worker.offer(new CommandJob(command, order, text));
    };
  }

  /// Answers for the cancelled command: that nothing has changed, or how it really ended.
  private boolean cancel(Command cancel, String first, boolean resends) throws InterruptedException {
    if (worker.cancel(first)) {
      return true;
    }
    Optional<CommandRecord> known = journal.find(first);
    if (known.isEmpty()) {
      // Never seen. Answered now, it will not be executed if it comes after all.
      eventPublisher.publishOutcome(
          first, cancel, cancel.epoch(), new Event.Outcome(new CommandResult.Cancelled(), ""));
      return true;
    }
    if (known.get().isAnswered()) {
      return resend(known.get(), resends);
    }
    // Begun by an agent that was killed: only the driver can find out how far it came.
    return worker.offer(CommandJob.cancelled(known.get()));
  }
}
