package dev.uplift.agent.report;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.driver.PackageState;
import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.journal.CommandRecord;
import dev.uplift.agent.transport.Backoff;
import dev.uplift.agent.transport.Reply;
import dev.uplift.agent.transport.ServerUnavailable;
import dev.uplift.agent.transport.Transport;
import dev.uplift.agent.transport.WakeSignal;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.WireErrorClass;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Publishes the events of commands, in order, one at a time, each until the stream has it.
///
/// Each command gets one outcome. It is stored before it is published, and measured for it.
public final class EventPublisher {
  private static final System.Logger LOG = System.getLogger(EventPublisher.class.getName());

  /// With more than this, events that are no outcomes may be dropped.
  private static final int MAX_QUEUED = 64;

  private static final int RANDOM_BYTES = 8;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final HostContext hostContext;
  private final Transport transport;
  private final ServerClock clock;
  private final PackageMeasurements measurements;
  private final CommandJournal journal;
  private final HeartbeatPublisher heartbeatPublisher;
  private final Deque<QueuedEvent> queue = new ArrayDeque<>();
  private final WakeSignal changed = new WakeSignal();
  private final Backoff pauses = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));
  private boolean retryRequested;

  /// Of the newest command that has a trace: its id, and the header. A host works on one command at a time.
  private String tracedCommand = "";

  private String trace = "";

  /// @param name the same for the same event
  /// @param command its id
  /// @param outcomeOf id of the command whose outcome this is; empty for other events
  private record QueuedEvent(String name, String text, String command, String outcomeOf) {}

  public EventPublisher(
      HostContext hostContext,
      Transport transport,
      ServerClock clock,
      PackageMeasurements measurements,
      CommandJournal journal,
      HeartbeatPublisher heartbeatPublisher) {
    this.hostContext = hostContext;
    this.transport = transport;
    this.clock = clock;
    this.measurements = measurements;
    this.journal = journal;
    this.heartbeatPublisher = heartbeatPublisher;
  }

  /// Returns this header with the events of this command from now on; not after a restart, unless the command is read
  /// again.
  ///
  /// @param header empty if it has none
  public synchronized void setTrace(String command, String header) {
    if (!header.isEmpty() && header.length() <= Command.MAX_TRACE_CHARS) {
      tracedCommand = command;
      trace = header;
    }
  }

  public void publishAccepted(Command command) {
    publish(command, new Event.Accepted());
  }

  public void publishProgress(Command command, String text) {
    publish(command, new Event.Progress(command.action().wireName(), text, -1));
  }

  private void publish(Command command, Event.Content content) {
    PackageState latest = measurements.latest(command.packageName());
    enqueue(event(command.id(), command.epoch(), latest, content));
  }

  /// Answers an `inspect`: the current state of the host, whatever else it executes.
  public void publishState(Command inspect) throws InterruptedException {
    CommandResult commandResult =
        hostContext.packages().containsKey(inspect.packageName())
            ? new CommandResult.Done()
            : new CommandResult.Failed(
                "unknown-package", WireErrorClass.FINAL, "this host has no package " + inspect.packageName());
    publishOutcome(inspect, commandResult, "");
  }

  public void publishOutcome(Command command, CommandResult commandResult, String log) throws InterruptedException {
    publishOutcome(command.id(), command, command.epoch(), new Event.Outcome(commandResult, log));
  }

  /// Stores and publishes an outcome. Does nothing if there is one for that id already.
  ///
  /// @param id of the command that is answered, which need not be the one at hand
  public void publishOutcome(String id, Command about, long epoch, Event.Outcome outcome) throws InterruptedException {
    if (journal.find(id).filter(CommandRecord::isAnswered).isPresent()) {
      return;
    }
    // The outcome says what is measured from here on, and so do heartbeats.
    heartbeatPublisher.changed();
    Event event = event(id, epoch, measurements.measure(about.packageName()), outcome);
    try {
      journal.recordOutcome(id, new String(event.write(), UTF_8));
    } catch (IOException e) {
      LOG.log(WARNING, "the outcome of {0} cannot be stored: {1}", id, e.toString());
    }
    LOG.log(INFO, "{0} {1} {2}: {3}", about.action().wireName(), about.packageName(), id, outcome.result());
    enqueue(event);
    heartbeatPublisher.recordOutcome(event);
  }

  /// Publishes a stored outcome again, word for word.
  public void resend(CommandRecord commandRecord) {
    add(
        new QueuedEvent(
            commandRecord.id() + ".outcome", commandRecord.outcome(), commandRecord.id(), commandRecord.id()));
  }

  private Event event(String id, long epoch, PackageState packageState, Event.Content content) {
    return new Event(
        id,
        epoch,
        hostContext.instance(),
        hostContext.bootId(),
        packageState.version(),
        packageState.staged(),
        packageState.onTrial(),
        clock.forDisplay(),
        content);
  }

  private void enqueue(Event event) {
    String outcomeOf = event.content() instanceof Event.Outcome ? event.commandId() : "";
    add(new QueuedEvent(event.name(), new String(event.write(), UTF_8), event.commandId(), outcomeOf));
  }

  private synchronized void add(QueuedEvent queuedEvent) {
    if (queue.stream().anyMatch(each -> each.name.equals(queuedEvent.name))) {
      return;
    }
    queue.add(queuedEvent);
    if (queue.size() > MAX_QUEUED) {
      queue.stream().filter(each -> each.outcomeOf.isEmpty()).findFirst().ifPresent(queue::remove);
    }
    changed.signal();
  }

  /// Ends the pause before the next attempt: the server can be reached again.
  public synchronized void retryNow() {
    pauses.reset();
    retryRequested = true;
    changed.signal();
  }

  /// Publishes what is queued. Ends with an interrupt.
  public void run() {
    String subject = Subjects.events(hostContext.subject());
    try {
      while (true) {
        QueuedEvent first = awaitFirst();
        try {
          if (send(subject, first).isDuplicate()) {
            // The stream has dropped it, because another message had its id.
            var _ = send(subject, first);
          }
          confirmSent(first);
        } catch (ServerUnavailable e) {
          LOG.log(DEBUG, "cannot publish {0} now: {1}", first.name, e.getMessage());
          awaitRetry(pauses.next());
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// The id has a random part: the stream drops a message whose id it has seen, on whatever subject, so one that other
  /// hosts could guess would let them silence this one.
  private Reply send(String subject, QueuedEvent queuedEvent) throws ServerUnavailable, InterruptedException {
    byte[] random = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(random);
    String id = queuedEvent.name + "." + HexFormat.of().formatHex(random);
    Reply reply = transport.request(subject, headers(id, queuedEvent.command), queuedEvent.text.getBytes(UTF_8));
    var _ = reply.storedSequence();
    return reply;
  }

  private synchronized Map<String, String> headers(String id, String command) {
    return command.equals(tracedCommand)
        ? Map.of(Event.ID_HEADER, id, Command.TRACE_HEADER, trace)
        : Map.of(Event.ID_HEADER, id);
  }

  private QueuedEvent awaitFirst() throws InterruptedException {
    QueuedEvent first = peekFirst();
    while (first == null) {
      changed.await();
      first = peekFirst();
    }
    return first;
  }

  private synchronized @Nullable QueuedEvent peekFirst() {
    retryRequested = false;
    return queue.peekFirst();
  }

  private void confirmSent(QueuedEvent queuedEvent) {
    pauses.reset();
    if (!queuedEvent.outcomeOf.isEmpty()) {
      try {
        journal.markSent(queuedEvent.outcomeOf);
      } catch (IOException e) {
        LOG.log(WARNING, "an outcome may be sent again: {0}", e.getMessage());
      }
    }
    remove(queuedEvent);
  }

  private synchronized void remove(QueuedEvent queuedEvent) {
    queue.remove(queuedEvent);
  }

  private void awaitRetry(Duration pause) throws InterruptedException {
    long until = System.nanoTime() + pause.toNanos();
    while (!isRetryRequested() && until - System.nanoTime() > 0) {
      var _ = changed.await(Duration.ofNanos(until - System.nanoTime()));
    }
  }

  private synchronized boolean isRetryRequested() {
    return retryRequested;
  }
}
