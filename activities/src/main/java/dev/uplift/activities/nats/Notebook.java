package dev.uplift.activities.nats;

import dev.uplift.store.Database;
import dev.uplift.store.DatabaseAway;
import io.nats.client.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes down what nobody waits for, many messages in one transaction: a commit costs more than
/// what most of them write. A message is acknowledged after that, so what was not written comes
/// again. Those of one subject are written in their order.
public final class Notebook implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Notebook.class);

  /// People who look on do not notice it.
  private static final Duration GATHER = Duration.ofMillis(150);

  /// Few enough that their rows are not locked for long.
  private static final int MOST = 100;

  /// Long enough not to press a database that is coming back.
  private static final Duration LATER = Duration.ofSeconds(5);

  private final Database database;
  private final BlockingQueue<Note> notes = new LinkedBlockingQueue<>();
  private final Thread writer;
  private volatile boolean closed;

  /// @param write returns what is to be done with the message then
  private record Note(Message message, Supplier<Runnable> write) {}

  public Notebook(Database database) {
    this.database = database;
    this.writer = Thread.ofVirtual().name("notebook").start(this::run);
  }

  /// Acknowledged as soon as it is written.
  public void note(Message message, Runnable write) {
    noteIf(
        message,
        () -> {
          write.run();
          return message::ack;
        });
  }

  /// What becomes of the message is found out as it is written.
  ///
  /// @param write may run more than once; returns what is to be done with the message when what it
  ///   wrote stays
  public void noteIf(Message message, Supplier<Runnable> write) {
    notes.add(new Note(message, write));
  }

  private void run() {
    try {
      while (!closed || !notes.isEmpty()) {
        Note first = notes.poll(GATHER.toMillis(), TimeUnit.MILLISECONDS);
        if (first != null) {
          write(gathered(first));
        }
      }
    } catch (InterruptedException _) {
      // What is left is not acknowledged, and comes again.
      Thread.currentThread().interrupt();
    }
  }

  private List<Note> gathered(Note first) throws InterruptedException {
    List<Note> some = new ArrayList<>(List.of(first));
    if (!closed && notes.size() < MOST) {
      Thread.sleep(GATHER);
    }
    notes.drainTo(some, MOST - 1);
    // Two servers lock the rows of the same hosts in one order.
    some.sort(Comparator.comparing(note -> note.message().getSubject()));
    return some;
  }

  private void write(List<Note> some) {
    List<Runnable> then = written(some);
    if (then != null) {
      then.forEach(Notebook::tell);
    } else if (some.size() > 1) {
      // One of them spoils it for all.
      some.forEach(note -> write(List.of(note)));
    }
  }

  private @Nullable List<Runnable> written(List<Note> some) {
    try {
      return database.together(() -> some.stream().map(note -> note.write().get()).toList());
    } catch (DatabaseAway e) {
      LOG.debug("{} messages are written down later", some.size(), e);
      return some.stream()
          .map(note -> (Runnable) () -> note.message().nakWithDelay(LATER))
          .toList();
    } catch (RuntimeException e) {
      // Not acknowledged, so it comes again.
      LOG.error("{} messages could not be written down", some.size(), e);
      return null;
    }
  }

  private static void tell(Runnable then) {
    try {
      then.run();
    } catch (RuntimeException e) {
      LOG.debug("a message that is written down comes again", e);
    }
  }

  /// What it has been given is written.
  @Override
  public void close() {
    closed = true;
    try {
      if (!writer.join(Duration.ofSeconds(10))) {
        writer.interrupt();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
