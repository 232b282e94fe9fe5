package dev.uplift.services.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Subjects;
import dev.uplift.services.TestStacks;
import dev.uplift.temporaldev.stack.Stack;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.Message;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Streams and consumers are deleted on a live server while they are read.
final class DeletedStreamTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final Stack stack = TestStacks.open();
  private final NatsConnection nats = new NatsConnection(TestStacks.natsSettings(stack), new MonotonicClock());
  private final StreamMonitor monitor = new StreamMonitor(nats, new SimpleMeterRegistry());
  private final Set<String> received = ConcurrentHashMap.newKeySet();
  private Connection device;
  private DurableConsumerLoop events;
  private DurableConsumerLoop infos;

  @BeforeEach
  void start() throws Exception {
    stack.nats().start();
    nats.addInitializer(new StreamProvisioner(1));
    nats.start();
    await().until(() -> nats.status().connected());
    device = TestStacks.connectAsDevice(stack, TestStacks.TENANT);
    events = new DurableConsumerLoop(nats, Subjects.EVENT_STREAM, Subjects.EVENT_CONSUMER, this::receive);
    infos = new DurableConsumerLoop(nats, Subjects.INFO_STREAM, StreamProvisioner.INVENTORY_CONSUMER, this::receive);
    send(Subjects.events("acme.left"), "first event");
    send(Subjects.info("acme.left"), "first info");
    await().until(() -> received.containsAll(Set.of("first event", "first info")));
  }

  @AfterEach
  void stop() throws Exception {
    events.close();
    infos.close();
    monitor.close();
    device.close();
    nats.close();
    stack.close();
  }

  @Test
  void deletedConsumersAreCreatedAgainAndReadOn() throws Exception {
    monitor.start();
    management().deleteConsumer(Subjects.EVENT_STREAM, Subjects.EVENT_CONSUMER);
    management().deleteConsumer(Subjects.INFO_STREAM, StreamProvisioner.INVENTORY_CONSUMER);

    send(Subjects.events("acme.left"), "second event");
    send(Subjects.info("acme.left"), "second info");

    await().atMost(TIMEOUT).until(() -> received.containsAll(Set.of("second event", "second info")));
    await().until(() -> monitor.missing().isEmpty());
  }

  @Test
  void deletedStreamIsCreatedAgainAndReadOn() throws Exception {
    monitor.start();
    management().deleteStream(Subjects.EVENT_STREAM);

    await()
        .atMost(TIMEOUT)
        .until(() -> {
          send(Subjects.events("acme.left"), "second event");
          return received.contains("second event");
        });
    await().until(() -> monitor.missing().isEmpty());
  }

  @Test
  void missingStreamsAndConsumersAreReportedUntilTheyAreThere() throws Exception {
    assertThat(monitor.missing()).isEmpty();
    management().deleteConsumer(Subjects.EVENT_STREAM, Subjects.EVENT_CONSUMER);
    management().deleteStream(Subjects.COMMAND_STREAM);

    monitor.check();

    assertThat(monitor.missing()).containsExactly("stream CMD", "consumer event-consumer of EVT");
    await()
        .atMost(TIMEOUT)
        .until(() -> {
          monitor.check();
          return monitor.missing().isEmpty();
        });
  }

  @Test
  void missingConsumerCostsFewRequests() throws Exception {
    management().deleteConsumer(Subjects.EVENT_STREAM, Subjects.EVENT_CONSUMER);
    management().deleteConsumer(Subjects.INFO_STREAM, StreamProvisioner.INVENTORY_CONSUMER);
    long before = requests();

    await().during(Duration.ofSeconds(4)).atMost(TIMEOUT).until(() -> requests() - before < 50);
  }

  private long requests() {
    return nats.connection().getStatistics().getOutMsgs();
  }

  private void receive(Message message) {
    received.add(new String(message.getData(), UTF_8));
    message.ack();
  }

  private void send(String subject, String text) throws Exception {
    device.publish(subject, text.getBytes(UTF_8));
    device.flush(TIMEOUT);
  }

  private JetStreamManagement management() throws Exception {
    return nats.connection().jetStreamManagement();
  }
}
