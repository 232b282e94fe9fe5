package dev.uplift.agent.report;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.journal.CommandRecord;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.WireErrorClass;
import java.io.IOException;

/// Gives each command its one answer: written down first, then said.
public final class OutcomeReporter {
  private static final System.Logger LOG = System.getLogger(OutcomeReporter.class.getName());

  private final CommandJournal journal;
  private final EventFactory eventFactory;
  private final EventOutbox outbox;
  private final HeartbeatPublisher heartbeatPublisher;

  public OutcomeReporter(
      CommandJournal journal,
      EventFactory eventFactory,
      EventOutbox outbox,
      HeartbeatPublisher heartbeatPublisher) {
    this.journal = journal;
    this.eventFactory = eventFactory;
    this.outbox = outbox;
    this.heartbeatPublisher = heartbeatPublisher;
  }

  /// What is on the host now, whatever else is in work.
  public void reportState(Command command) throws InterruptedException {
    CommandResult commandResult =
        eventFactory.hasPackage(command.packageName())
            ? new CommandResult.Done()
            : new CommandResult.Failed(
                "unknown-package",
                WireErrorClass.FINAL,
                "this host has no package " + command.packageName());
    report(command, commandResult, "");
  }

  /// A stored answer, word for word.
  public void resend(CommandRecord commandRecord) {
    outbox.resend(commandRecord);
  }

  public void report(Command command, CommandResult commandResult, String log)
      throws InterruptedException {
    report(command.id(), command, command.epoch(), new Event.Outcome(commandResult, log));
  }

  /// Nothing happens if there is an answer to that id already.
  ///
  /// @param id of the command that is answered, which need not be the one at hand
  public void report(String id, Command about, long epoch, Event.Outcome outcome)
      throws InterruptedException {
    if (journal.find(id).filter(CommandRecord::isAnswered).isPresent()) {
      return;
    }
    // What is measured from here on is what the answer says, in heartbeats too.
    heartbeatPublisher.changed();
    Event event = eventFactory.outcome(id, about, epoch, outcome);
    try {
      journal.recordEpoch(about.epoch());
      journal.recordOutcome(id, new String(event.write(), UTF_8));
    } catch (IOException e) {
      LOG.log(WARNING, "the answer to {0} cannot be kept: {1}", id, e.toString());
    }
    LOG.log(
        INFO,
        "{0} {1} {2}: {3}",
        about.action().wireName(),
        about.packageName(),
        id,
        outcome.result());
    outbox.enqueue(event);
    heartbeatPublisher.recordOutcome(event);
  }
}
