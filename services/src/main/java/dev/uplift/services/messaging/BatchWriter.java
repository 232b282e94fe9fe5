package dev.uplift.services.messaging;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.uplift.services.scheduling.PeriodicTasks;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseUnavailable;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.nats.client.Message;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes messages that no workflow waits for, many in one transaction, because a commit costs more than most of them.
/// A message is acknowledged afterwards, so one that was not written is redelivered. The rows of one table are written
/// together, those of one subject in their order.
///
/// While the database is unavailable, messages wait here, and at most [#MAX_QUEUED]: then whoever enqueues waits, and
/// the rest stays in the stream. Those that wait are reported as in progress, so that the stream does not deliver them
/// again; one that it delivers nevertheless is dropped.
@Singleton
public final class BatchWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BatchWriter.class);

  /// Short enough not to be noticed by people.
  private static final Duration BATCH_WINDOW = Duration.ofMillis(150);

  /// Few enough that their rows are not locked for long.
  private static final int MAX_BATCH = 100;

  /// Long enough not to overload a database that is starting.
  private static final Duration REDELIVERY_DELAY = Duration.ofSeconds(5);

  /// As many as a consumer has in flight.
  static final int MAX_QUEUED = 4096;

  /// Several times within the time after which a stream delivers a message again.
  private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(10);

  private final Database database;
  private final BlockingQueue<PendingWrite<?>> queue = new LinkedBlockingQueue<>(MAX_QUEUED);

  /// The queued messages and those that are being written.
  private final Map<StreamPosition, PendingWrite<?>> waiting = new ConcurrentHashMap<>();

  private final PeriodicTasks progress;
  private final Thread writer;
  private volatile boolean closed;

  private record StreamPosition(String stream, long sequence) {
    static StreamPosition of(Message message) {
      return new StreamPosition(message.metaData().getStream(), message.metaData().streamSequence());
    }
  }

  /// Writes the rows of a table that come together.
  ///
  /// @param table its name: two servers write the tables of a batch, and so lock their rows, in one order. The writers
  ///   of one table are interchangeable
  /// @param write is given the rows in their order, and again if a transaction fails. Returns what is done with the
  ///   message of each after the commit
  public record RowWriter<T>(String table, Function<List<T>, List<Consumer<Message>>> write) {
    /// Returns one that has all messages acknowledged.
    public static <T> RowWriter<T> acknowledging(String table, Consumer<List<T>> write) {
      return new RowWriter<>(
          table,
          rows -> {
            write.accept(rows);
            return Collections.nCopies(rows.size(), Message::ack);
          });
    }
  }

  /// @param message that is acknowledged afterwards, if any
  /// @param subject by which rows are ordered
  private record PendingWrite<T>(Optional<Message> message, String subject, RowWriter<T> writer, T row) {
    Optional<StreamPosition> position() {
      return message.map(StreamPosition::of);
    }

    String table() {
      return writer.table();
    }

    Runnable then(Consumer<Message> action) {
      return () -> message.ifPresent(action);
    }
  }

  @Inject
  public BatchWriter(Database database, MeterRegistry meters) {
    this(database, PROGRESS_INTERVAL);
    Gauge.builder("uplift.writes.waiting", waiting, Map::size)
        .description("messages that wait to be written to the database, at most " + MAX_QUEUED)
        .register(meters);
  }

  /// @param progressInterval less than the time after which the stream delivers a message again
  BatchWriter(Database database, Duration progressInterval) {
    this.database = database;
    this.progress = new PeriodicTasks().schedule(progressInterval, "batch-progress", this::reportProgress);
    this.writer = Thread.ofVirtual().name("batch-writer").start(this::run);
  }

  /// Has the row of a message written soon.
  public <T> void enqueue(Message message, RowWriter<T> writer, T row) {
    StreamPosition position = StreamPosition.of(message);
    var pendingWrite = new PendingWrite<>(Optional.of(message), message.getSubject(), writer, row);
    if (waiting.putIfAbsent(position, pendingWrite) != null) {
      return;
    }
    try {
      queue.put(pendingWrite);
    } catch (InterruptedException _) {
      // Not acknowledged, so it is redelivered.
      waiting.remove(position);
      Thread.currentThread().interrupt();
    }
  }

  /// Has a row written that no one waits for and no message brings again. It is lost if this server is killed before,
  /// if the database is unavailable, or if too much waits. Never blocks.
  ///
  /// @param subject of the messages with which it is ordered
  public <T> void enqueueUnacknowledged(String subject, RowWriter<T> writer, T row) {
    if (!queue.offer(new PendingWrite<>(Optional.empty(), subject, writer, row))) {
      LOG.debug("a write for {} is left out, because {} wait", subject, MAX_QUEUED);
    }
  }

  /// Returns how many messages wait to be written, those that are being written included.
  int waiting() {
    return waiting.size();
  }

  private void reportProgress() {
    for (PendingWrite<?> each : waiting.values()) {
      try {
        each.message().ifPresent(Message::inProgress);
      } catch (RuntimeException e) {
        // Delivered again, and dropped if it still waits.
        LOG.debug("the progress of a message could not be reported", e);
        return;
      }
    }
  }

  private void run() {
    try {
      while (!closed || !queue.isEmpty()) {
        PendingWrite<?> first = queue.poll(BATCH_WINDOW.toMillis(), TimeUnit.MILLISECONDS);
        if (first != null) {
          write(nextBatch(first));
        }
      }
    } catch (InterruptedException _) {
      // The rest is not acknowledged, and is redelivered.
      Thread.currentThread().interrupt();
    }
  }

  private List<PendingWrite<?>> nextBatch(PendingWrite<?> first) throws InterruptedException {
    List<PendingWrite<?>> some = new ArrayList<>(List.of(first));
    if (!closed && queue.size() < MAX_BATCH) {
      Thread.sleep(BATCH_WINDOW);
    }
    queue.drainTo(some, MAX_BATCH - 1);
    // Two servers lock the rows of the same hosts in the same order.
    some.sort(Comparator.comparing(PendingWrite::subject));
    return some;
  }

  private void write(List<PendingWrite<?>> some) {
    Optional<List<Runnable>> then = writeInTransaction(some);
    if (then.isEmpty() && some.size() > 1) {
      // One of them fails the transaction of all.
      some.forEach(pendingWrite -> write(List.of(pendingWrite)));
      return;
    }
    then.ifPresent(actions -> actions.forEach(BatchWriter::acknowledge));
    some.forEach(pendingWrite -> pendingWrite.position().ifPresent(waiting::remove));
  }

  /// Returns what is done with the messages afterwards; empty if they are left as they are.
  private Optional<List<Runnable>> writeInTransaction(List<PendingWrite<?>> some) {
    try {
      return Optional.of(database.inTransaction(() -> writeByTable(some)));
    } catch (DatabaseUnavailable e) {
      LOG.debug("{} messages are written later", some.size(), e);
      return Optional.of(
          some.stream().map(each -> each.then(message -> message.nakWithDelay(REDELIVERY_DELAY))).toList());
    } catch (RuntimeException e) {
      // Not acknowledged, so it is redelivered.
      LOG.error("{} messages could not be written", some.size(), e);
      return Optional.empty();
    }
  }

  private static List<Runnable> writeByTable(List<PendingWrite<?>> some) {
    return some.stream().collect(groupingBy(PendingWrite::table, TreeMap::new, toList())).values().stream()
        .flatMap(ofTable -> write(ofTable.getFirst().writer(), ofTable))
        .toList();
  }

  /// @param ofTable whose rows are of the type that each of their writers takes
  @SuppressWarnings("unchecked")
  private static <T> Stream<Runnable> write(RowWriter<T> writer, List<PendingWrite<?>> ofTable) {
    List<T> rows = ofTable.stream().map(pendingWrite -> (T) pendingWrite.row()).toList();
    List<Consumer<Message>> actions = writer.write().apply(rows);
    return IntStream.range(0, rows.size()).mapToObj(i -> ofTable.get(i).then(actions.get(i)));
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
      progress.close();
      if (!writer.join(Duration.ofSeconds(10))) {
        writer.interrupt();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
