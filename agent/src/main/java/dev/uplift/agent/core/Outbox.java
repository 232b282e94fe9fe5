package dev.uplift.agent.core;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.link.Away;
import dev.uplift.agent.link.Backoff;
import dev.uplift.agent.link.Wire;
import dev.uplift.agent.ops.Op;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Subjects;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/// What is still to be said to the server, in order, one at a time, each for as long as it takes
/// until the stream has it.
final class Outbox {
  private static final System.Logger LOG = System.getLogger(Outbox.class.getName());

  /// With more than this, what is no answer may be lost.
  private static final int MOST = 64;

  private final Wire wire;
  private final String subject;
  private final Ops ops;
  private final Deque<Saying> waiting = new ArrayDeque<>();
  private final Backoff pauses = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));
  private boolean isHurried;

  /// @param answers id of the command whose outcome this is; empty for the rest
  private record Saying(String messageId, String text, String answers) {}

  Outbox(Wire wire, String host, Ops ops) {
    this.wire = wire;
    this.subject = Subjects.events(host);
    this.ops = ops;
  }

  void say(Event event) {
    String answers = event.said() instanceof Event.Outcome ? event.commandId() : "";
    add(new Saying(event.messageId(), new String(event.write(), UTF_8), answers));
  }

  /// A stored answer, word for word.
  void repeat(Op op) {
    add(new Saying(op.id() + ".outcome", op.outcome(), op.id()));
  }

  private synchronized void add(Saying saying) {
    if (waiting.stream().anyMatch(each -> each.messageId.equals(saying.messageId))) {
      return;
    }
    waiting.add(saying);
    if (waiting.size() > MOST) {
      waiting.stream()
          .filter(each -> each.answers.isEmpty())
          .findFirst()
          .ifPresent(waiting::remove);
    }
    notifyAll();
  }

  /// The server can be reached again: no reason to go on pausing.
  synchronized void hurry() {
    pauses.reset();
    isHurried = true;
    notifyAll();
  }

  /// Ends with an interrupt.
  void run() {
    try {
      while (true) {
        Saying first = first();
        try {
          wire.ask(subject, Map.of(Event.ID_HEADER, first.messageId), first.text.getBytes(UTF_8))
              .keptAs();
          said(first);
        } catch (Away e) {
          LOG.log(DEBUG, "cannot say {0} now: {1}", first.messageId, e.getMessage());
          pause(pauses.next());
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized Saying first() throws InterruptedException {
    Saying first = waiting.peekFirst();
    while (first == null) {
      wait();
      first = waiting.peekFirst();
    }
    isHurried = false;
    return first;
  }

  private void said(Saying saying) {
    pauses.reset();
    if (!saying.answers.isEmpty()) {
      try {
        ops.sent(saying.answers);
      } catch (IOException e) {
        LOG.log(WARNING, "an answer may be sent again: {0}", e.getMessage());
      }
    }
    remove(saying);
  }

  private synchronized void remove(Saying saying) {
    waiting.remove(saying);
    notifyAll();
  }

  private synchronized void pause(Duration pause) throws InterruptedException {
    long until = System.nanoTime() + pause.toNanos();
    while (!isHurried) {
      long left = until - System.nanoTime();
      if (left <= 0) {
        return;
      }
      wait(Math.max(1, left / 1_000_000));
    }
  }
}
