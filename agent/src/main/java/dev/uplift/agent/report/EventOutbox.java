package dev.uplift.agent.report;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.journal.CommandRecord;
import dev.uplift.agent.transport.Backoff;
import dev.uplift.agent.transport.ServerUnavailable;
import dev.uplift.agent.transport.Transport;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Subjects;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/// What is still to be said to the server, in order, one at a time, each for as long as it takes
/// until the stream has it.
public final class EventOutbox {
  private static final System.Logger LOG = System.getLogger(EventOutbox.class.getName());

  /// With more than this, what is no answer may be lost.
  private static final int MAX_QUEUED = 64;

  private final Transport wire;
  private final String subject;
  private final CommandJournal journal;
  private final Deque<QueuedEvent> queue = new ArrayDeque<>();
  private final Backoff pauses = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));
  private boolean retryRequested;

  /// @param outcomeOf id of the command whose outcome this is; empty for the rest
  private record QueuedEvent(String messageId, String text, String outcomeOf) {}

  public EventOutbox(Transport wire, String host, CommandJournal journal) {
    this.wire = wire;
    this.subject = Subjects.events(host);
    this.journal = journal;
  }

  void enqueue(Event event) {
    String answers = event.content() instanceof Event.Outcome ? event.commandId() : "";
    add(new QueuedEvent(event.messageId(), new String(event.write(), UTF_8), answers));
  }

  /// A stored answer, word for word.
  public void resend(CommandRecord commandRecord) {
    add(
        new QueuedEvent(
            commandRecord.id() + ".outcome", commandRecord.outcome(), commandRecord.id()));
  }

  private synchronized void add(QueuedEvent queuedEvent) {
    if (queue.stream().anyMatch(each -> each.messageId.equals(queuedEvent.messageId))) {
      return;
    }
    queue.add(queuedEvent);
    if (queue.size() > MAX_QUEUED) {
      queue.stream().filter(each -> each.outcomeOf.isEmpty()).findFirst().ifPresent(queue::remove);
    }
    notifyAll();
  }

  /// The server can be reached again: no reason to go on pausing.
  public synchronized void retryNow() {
    pauses.reset();
    retryRequested = true;
    notifyAll();
  }

  /// Ends with an interrupt.
  public void run() {
    try {
      while (true) {
        QueuedEvent first = awaitFirst();
        try {
          wire.request(
                  subject, Map.of(Event.ID_HEADER, first.messageId), first.text.getBytes(UTF_8))
              .storedSequence();
          confirmSent(first);
        } catch (ServerUnavailable e) {
          LOG.log(DEBUG, "cannot say {0} now: {1}", first.messageId, e.getMessage());
          awaitRetry(pauses.next());
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized QueuedEvent awaitFirst() throws InterruptedException {
    QueuedEvent first = queue.peekFirst();
    while (first == null) {
      wait();
      first = queue.peekFirst();
    }
    retryRequested = false;
    return first;
  }

  private void confirmSent(QueuedEvent queuedEvent) {
    pauses.reset();
    if (!queuedEvent.outcomeOf.isEmpty()) {
      try {
        journal.markSent(queuedEvent.outcomeOf);
      } catch (IOException e) {
        LOG.log(WARNING, "an answer may be sent again: {0}", e.getMessage());
      }
    }
    remove(queuedEvent);
  }

  private synchronized void remove(QueuedEvent queuedEvent) {
    queue.remove(queuedEvent);
    notifyAll();
  }

  private synchronized void awaitRetry(Duration pause) throws InterruptedException {
    long until = System.nanoTime() + pause.toNanos();
    while (!retryRequested) {
      long left = until - System.nanoTime();
      if (left <= 0) {
        return;
      }
      wait(Math.max(1, left / 1_000_000));
    }
  }
}
