package dev.uplift.services.messaging;

import dev.uplift.store.Database;
import dev.uplift.store.DatabaseUnavailable;
import io.nats.client.Message;
import jakarta.inject.Singleton;
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

/// Writes messages that no workflow waits for, many in one transaction, because a commit costs more than most of them.
/// A message is acknowledged afterwards, so one that was not written is redelivered. Messages of one subject are
/// written in their order.
@Singleton
public final class BatchWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BatchWriter.class);

  /// Short enough not to be noticed by people.
  private static final Duration BATCH_WINDOW = Duration.ofMillis(150);

  /// Few enough that their rows are not locked for long.
  private static final int MAX_BATCH = 100;

  /// Long enough not to overload a database that is starting.
  private static final Duration REDELIVERY_DELAY = Duration.ofSeconds(5);

  private final Database database;
  private final BlockingQueue<PendingWrite> queue = new LinkedBlockingQueue<>();
  private final Thread writer;
  private volatile boolean closed;

  /// @param write returns what is done with the message afterwards
  private record PendingWrite(Message message, Supplier<Runnable> write) {}

  public BatchWriter(Database database) {
    this.database = database;
    this.writer = Thread.ofVirtual().name("batch-writer").start(this::run);
  }

  /// Acknowledges the message as soon as it is written.
  public void enqueue(Message message, Runnable write) {
    enqueueWithAcknowledgement(
        message,
        () -> {
          write.run();
          return message::ack;
        });
  }

  /// As above, for a write that decides what is done with the message.
  ///
  /// @param write may run more than once; returns what is done with the message after the commit
  public void enqueueWithAcknowledgement(Message message, Supplier<Runnable> write) {
    queue.add(new PendingWrite(message, write));
  }

  private void run() {
    try {
      while (!closed || !queue.isEmpty()) {
        PendingWrite first = queue.poll(BATCH_WINDOW.toMillis(), TimeUnit.MILLISECONDS);
        if (first != null) {
          write(nextBatch(first));
        }
      }
    } catch (InterruptedException _) {
      // The rest is not acknowledged, and is redelivered.
      Thread.currentThread().interrupt();
    }
  }

  private List<PendingWrite> nextBatch(PendingWrite first) throws InterruptedException {
    List<PendingWrite> some = new ArrayList<>(List.of(first));
    if (!closed && queue.size() < MAX_BATCH) {
      Thread.sleep(BATCH_WINDOW);
    }
    queue.drainTo(some, MAX_BATCH - 1);
    // Two servers lock the rows of the same hosts in the same order.
    some.sort(Comparator.comparing(pendingWrite -> pendingWrite.message().getSubject()));
    return some;
  }

  private void write(List<PendingWrite> some) {
    List<Runnable> then = writeInTransaction(some);
    if (then != null) {
      then.forEach(BatchWriter::acknowledge);
    } else if (some.size() > 1) {
      // One of them fails the transaction of all.
      some.forEach(pendingWrite -> write(List.of(pendingWrite)));
    }
  }

  private @Nullable List<Runnable> writeInTransaction(List<PendingWrite> some) {
    try {
      return database.inTransaction(() -> some.stream().map(pendingWrite -> pendingWrite.write().get()).toList());
    } catch (DatabaseUnavailable e) {
      LOG.debug("{} messages are written later", some.size(), e);
      return some.stream()
          .map(pendingWrite -> (Runnable) () -> pendingWrite.message().nakWithDelay(REDELIVERY_DELAY))
          .toList();
    } catch (RuntimeException e) {
      // Not acknowledged, so it is redelivered.
      LOG.error("{} messages could not be written", some.size(), e);
      return null;
    }
  }

  private static void acknowledge(Runnable then) {
    try {
      then.run();
    } catch (RuntimeException e) {
      LOG.debug("a written message is redelivered", e);
    }
  }

  /// Writes what is enqueued.
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
