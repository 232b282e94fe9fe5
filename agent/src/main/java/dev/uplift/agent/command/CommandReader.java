package dev.uplift.agent.command;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;

import dev.uplift.agent.report.EventOutbox;
import dev.uplift.agent.report.TimeSync;
import dev.uplift.agent.transport.Backoff;
import dev.uplift.agent.transport.ServerUnavailable;
import dev.uplift.agent.transport.Transport;
import dev.uplift.agent.trust.RootUpdater;
import java.time.Duration;
import java.util.Optional;

/// Reads the slot when there is a reason to, and has the desk see to what is found.
final class CommandReader implements Transport.Listener {
  private static final System.Logger LOG = System.getLogger(CommandReader.class.getName());
  private static final Duration TIME_SYNC_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration QUICK_TIME_SYNC_TIMEOUT = Duration.ofSeconds(1);

  private final ReadTriggers readTriggers;
  private final TimeSync timeSync;
  private final CommandMailbox mailbox;
  private final CommandDispatcher dispatcher;
  private final EventOutbox outbox;
  private final RootUpdater rootUpdater;
  private String lastSequence = "";
  private final Backoff pauses = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));

  CommandReader(
      ReadTriggers readTriggers,
      TimeSync timeSync,
      CommandMailbox mailbox,
      CommandDispatcher dispatcher,
      EventOutbox outbox,
      RootUpdater rootUpdater) {
    this.readTriggers = readTriggers;
    this.timeSync = timeSync;
    this.mailbox = mailbox;
    this.dispatcher = dispatcher;
    this.outbox = outbox;
    this.rootUpdater = rootUpdater;
  }

  @Override
  public void onConnected() {
    outbox.retryNow();
    readTriggers.add(ReadReason.CONNECTED);
  }

  @Override
  public void onMessage() {
    readTriggers.add(ReadReason.NOTIFIED);
  }

  /// Ends with an interrupt.
  void run() {
    try {
      while (true) {
        ReadReason readReason = readTriggers.next();
        if (readReason == ReadReason.CONNECTED) {
          timeSync.resync(TIME_SYNC_TIMEOUT);
        } else {
          timeSync.syncIfDue(QUICK_TIME_SYNC_TIMEOUT);
        }
        readAndDispatch(readReason);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Before what is new is judged: whoever has lost a key has it taken out of the root first.
  private void updateRoots(ReadReason readReason, String sequence) throws InterruptedException {
    if (readReason == ReadReason.CONNECTED
        || readReason == ReadReason.PERIODIC
        || !sequence.equals(lastSequence)) {
      rootUpdater.update();
      lastSequence = sequence;
    }
  }

  private void readAndDispatch(ReadReason readReason) throws InterruptedException {
    try {
      Optional<ReceivedCommand> letter = mailbox.readLatest();
      pauses.reset();
      updateRoots(readReason, letter.map(ReceivedCommand::sequence).orElse(lastSequence));
      boolean isNew =
          letter.isPresent() && dispatcher.dispatch(letter.get(), readReason.resendsOutcome());
      readTriggers.recordRead(isNew);
    } catch (ServerUnavailable e) {
      LOG.log(DEBUG, "cannot look now: {0}", e.getMessage());
      readTriggers.schedule(readReason, pauses.next());
    } catch (RuntimeException e) {
      LOG.log(ERROR, "a mistake of ours while looking", e);
      readTriggers.schedule(readReason, pauses.next());
    }
  }
}
