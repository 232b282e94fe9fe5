package dev.uplift.services.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Subjects;
import dev.uplift.services.TestStacks;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.temporaldev.stack.Stack;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The database is unavailable while messages arrive, from a consumer that delivers a message again after seconds.
final class BatchWriterTest {
  private static final String CONSUMER = "impatient";
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final Duration NEVER = Duration.ofHours(1);

  /// Its rows write themselves.
  private static final BatchWriter.RowWriter<Runnable> EACH =
      BatchWriter.RowWriter.acknowledging("each", rows -> rows.forEach(Runnable::run));

  private final Stack stack = TestStacks.open();
  private final NatsConnection nats = new NatsConnection(TestStacks.natsSettings(stack), new MonotonicClock());
  private final Database database = Database.open(DatabaseSettings.h2InMemory());
  private final CountDownLatch repaired = new CountDownLatch(1);
  private final AtomicInteger deliveries = new AtomicInteger();
  private final AtomicInteger mostWaiting = new AtomicInteger();
  private final Set<String> written = ConcurrentHashMap.newKeySet();

  /// As long as a pool waits for a connection.
  private volatile Duration databaseTimeout = Duration.ofSeconds(5);

  @BeforeEach
  void start() throws Exception {
    stack.nats().start();
    nats.addInitializer(new StreamProvisioner(1));
    nats.start();
    await().until(() -> nats.status().connected());
  }

  private void createConsumer(Duration ackWait) throws Exception {
    nats.connection()
        .jetStreamManagement()
        .addOrUpdateConsumer(
            Subjects.EVENT_STREAM,
            ConsumerConfiguration.builder()
                .durable(CONSUMER)
                .ackPolicy(AckPolicy.Explicit)
                .ackWait(ackWait)
                .maxAckPending(4096)
                .build());
  }

  @AfterEach
  void stop() throws Exception {
    repaired.countDown();
    nats.close();
    database.close();
    stack.close();
  }

  @Test
  void redeliveredMessagesAreNotQueuedAgainAndNothingIsLost() throws Exception {
    createConsumer(Duration.ofSeconds(1));
    publish(4096);
    try (BatchWriter writer = new BatchWriter(database, NEVER);
        DurableConsumerLoop _ = read(writer)) {
      await().atMost(TIMEOUT).until(() -> deliveries.get() > 3 * 4096);
      assertThat(mostWaiting).hasValueLessThanOrEqualTo(4096);

      repaired.countDown();

      await().atMost(TIMEOUT).until(() -> written.size() == 4096);
      await().atMost(TIMEOUT).until(() -> consumer().getNumAckPending() == 0 && consumer().getNumPending() == 0);
    }
  }

  @Test
  void waitingMessagesAreReportedSoThatTheyAreNotRedelivered() throws Exception {
    createConsumer(Duration.ofSeconds(3));
    databaseTimeout = NEVER;
    publish(50);
    try (BatchWriter writer = new BatchWriter(database, Duration.ofMillis(200));
        DurableConsumerLoop _ = read(writer)) {
      await().atMost(TIMEOUT).until(() -> writer.waiting() == 50);

      await().during(Duration.ofSeconds(7)).atMost(TIMEOUT).until(() -> deliveries.get() == 50);
      repaired.countDown();

      await().atMost(TIMEOUT).until(() -> written.size() == 50 && writer.waiting() == 0);
    }
  }

  @Test
  void aWriteWithoutAMessageIsWrittenOrLostAndNeverBlocks() throws Exception {
    var writes = new AtomicInteger();
    try (BatchWriter writer = new BatchWriter(database, NEVER)) {
      writer.enqueueUnacknowledged(
          "first",
          EACH,
          () -> {
            throw new IllegalStateException(new SQLException("the database does not answer", "08006"));
          });
      writer.enqueueUnacknowledged(
          "second",
          EACH,
          () -> {
            try {
              repaired.await();
              writes.incrementAndGet();
            } catch (InterruptedException _) {
              Thread.currentThread().interrupt();
            }
          });
      for (int i = 0; i < 2 * BatchWriter.MAX_QUEUED; i++) {
        writer.enqueueUnacknowledged("third", EACH, writes::incrementAndGet);
      }
      repaired.countDown();
    }
    assertThat(writes.get()).isBetween(BatchWriter.MAX_QUEUED / 2, BatchWriter.MAX_QUEUED + 200);
  }

  @Test
  void rowsThatComeTogetherAreWrittenTogetherThoseOfASubjectInTheirOrder() {
    List<List<String>> written = new CopyOnWriteArrayList<>();
    BatchWriter.RowWriter<String> batches = BatchWriter.RowWriter.acknowledging("together", written::add);
    try (BatchWriter writer = new BatchWriter(database, NEVER)) {
      for (int i = 0; i < 40; i++) {
        writer.enqueueUnacknowledged("subject " + i % 2, batches, i % 2 + " " + (10 + i));
      }
    }

    assertThat(written).hasSizeLessThan(10).allSatisfy(rows -> assertThat(rows).isSorted());
    assertThat(written.stream().flatMap(List::stream)).hasSize(40);
  }

  private DurableConsumerLoop read(BatchWriter writer) {
    return new DurableConsumerLoop(
        nats,
        Subjects.EVENT_STREAM,
        CONSUMER,
        message -> {
          deliveries.incrementAndGet();
          writer.enqueue(message, EACH, () -> write(message));
          mostWaiting.accumulateAndGet(writer.waiting(), Math::max);
        });
  }

  /// Fails after a while, unless the database is repaired.
  private void write(Message message) {
    try {
      if (!repaired.await(databaseTimeout.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException(new SQLException("the database does not answer", "08006"));
      }
      written.add(new String(message.getData(), UTF_8));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void publish(int count) throws Exception {
    Connection device = TestStacks.connectAsDevice(stack, TestStacks.TENANT);
    try {
      for (int i = 0; i < count; i++) {
        device.publish(Subjects.events("acme.host-" + i % 100), ("event " + i).getBytes(UTF_8));
      }
      device.flush(TIMEOUT);
    } finally {
      device.close();
    }
  }

  private ConsumerInfo consumer() throws Exception {
    return nats.connection().jetStreamManagement().getConsumerInfo(Subjects.EVENT_STREAM, CONSUMER);
  }
}
