package dev.uplift.agent.command;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;

import dev.uplift.agent.command.ReadTriggers.Reason;
import dev.uplift.agent.report.EventPublisher;
import dev.uplift.agent.report.TimeSync;
import dev.uplift.agent.transport.Backoff;
import dev.uplift.agent.transport.Reply;
import dev.uplift.agent.transport.ServerUnavailable;
import dev.uplift.agent.transport.Transport;
import dev.uplift.agent.trust.RootUpdater;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Subjects;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// Reads the newest command for this host when there is a reason to, and has it dispatched.
///
/// A notification is only a reason to read: its content is ignored.
final class CommandReader implements Transport.Listener {
  private static final System.Logger LOG = System.getLogger(CommandReader.class.getName());
  private static final String SEQUENCE = "Nats-Sequence";
  private static final Duration TIME_SYNC_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration QUICK_TIME_SYNC_TIMEOUT = Duration.ofSeconds(1);

  private final ReadTriggers readTriggers;
  private final Transport transport;
  private final String subject;
  private final TimeSync timeSync;
  private final CommandDispatcher dispatcher;
  private final EventPublisher eventPublisher;
  private final RootUpdater rootUpdater;
  private final Backoff pauses = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));
  private String lastSequence = "";

  /// @param host its address in subjects
  CommandReader(
      ReadTriggers readTriggers,
      Transport transport,
      String host,
      TimeSync timeSync,
      CommandDispatcher dispatcher,
      EventPublisher eventPublisher,
      RootUpdater rootUpdater) {
    this.readTriggers = readTriggers;
    this.transport = transport;
    this.subject = Subjects.directGetCommand(host);
    this.timeSync = timeSync;
    this.dispatcher = dispatcher;
    this.eventPublisher = eventPublisher;
    this.rootUpdater = rootUpdater;
  }

  @Override
  public void onConnected() {
    eventPublisher.retryNow();
    readTriggers.add(Reason.CONNECTED);
  }

  @Override
  public void onMessage() {
    readTriggers.add(Reason.NOTIFIED);
  }

  /// Ends with an interrupt.
  void run() {
    try {
      while (true) {
        Reason reason = readTriggers.next();
        if (reason == Reason.CONNECTED) {
          timeSync.resync(TIME_SYNC_TIMEOUT);
        } else {
          timeSync.syncIfDue(QUICK_TIME_SYNC_TIMEOUT);
        }
        readAndDispatch(reason);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void readAndDispatch(Reason reason) throws InterruptedException {
    try {
      Optional<ReceivedCommand> received = readLatest();
      pauses.reset();
      updateRoots(reason, received.map(ReceivedCommand::sequence).orElse(lastSequence));
      boolean isNew = received.isPresent() && dispatcher.dispatch(received.get(), reason.resendsOutcome());
      readTriggers.recordRead(isNew);
    } catch (ServerUnavailable e) {
      LOG.log(DEBUG, "cannot read the command now: {0}", e.getMessage());
      readTriggers.schedule(reason, pauses.next());
    } catch (RuntimeException e) {
      LOG.log(ERROR, "internal error while reading the command", e);
      readTriggers.schedule(reason, pauses.next());
    }
  }

  private Optional<ReceivedCommand> readLatest() throws ServerUnavailable, InterruptedException {
    Reply reply = transport.request(subject, Map.of(), new byte[0]);
    return switch (reply.status()) {
      case Reply.OK ->
          Optional.of(
              new ReceivedCommand(
                  reply.header(SEQUENCE),
                  reply.header(Command.SIGNATURE_HEADER),
                  reply.header(Command.TRACE_HEADER),
                  reply.body()));
      case Reply.NOT_FOUND -> Optional.empty();
      default -> throw new ServerUnavailable("the command cannot be read, status " + reply.status());
    };
  }

  /// Before a new command is validated: an operator that has lost a key takes it out of the root first.
  private void updateRoots(Reason reason, String sequence) throws InterruptedException {
    if (reason == Reason.CONNECTED || reason == Reason.PERIODIC || !sequence.equals(lastSequence)) {
      rootUpdater.update();
      lastSequence = sequence;
    }
  }
}
