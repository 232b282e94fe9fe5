package dev.uplift.services.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Subjects;
import dev.uplift.services.TestStacks;
import dev.uplift.temporaldev.stack.Stack;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class StreamProvisionerTest {
  private final Stack stack = TestStacks.open();
  private final NatsConnection nats = new NatsConnection(TestStacks.natsSettings(stack), new MonotonicClock());
  private final StreamProvisioner streams = new StreamProvisioner(1);

  @BeforeEach
  void start() {
    stack.nats().start();
    nats.addInitializer(streams);
    nats.start();
    await().until(() -> nats.status().connected());
  }

  @AfterEach
  void stop() {
    nats.close();
    stack.close();
  }

  @Test
  void streamsHaveTheDocumentedLimits() throws Exception {
    StreamConfiguration commands = configuration(Subjects.COMMAND_STREAM);
    StreamConfiguration events = configuration(Subjects.EVENT_STREAM);
    StreamConfiguration infos = configuration(Subjects.INFO_STREAM);
    ConsumerConfiguration bridge =
        management().getConsumerInfo(Subjects.EVENT_STREAM, Subjects.EVENT_CONSUMER).getConsumerConfiguration();

    assertThat(commands.getMaxMsgsPerSubject()).isEqualTo(1);
    assertThat(commands.getMaxAge()).isEqualTo(Duration.ofDays(30));
    assertThat(commands.getMaximumMessageSize()).isEqualTo(32 * 1024);
    assertThat(events.getMaxMsgsPerSubject()).isEqualTo(1000);
    assertThat(events.getMaxAge()).isEqualTo(Duration.ofDays(21));
    assertThat(events.getDenyPurge()).isTrue();
    assertThat(infos.getMaxMsgsPerSubject()).isEqualTo(1);
    assertThat(infos.getMaxAge()).isZero();
    assertThat(bridge.getMaxDeliver()).as("no answer is ever dropped").isEqualTo(-1);
  }

  @Test
  void wrongSettingsAreCorrectedAndTheOperatorsAreKept() throws Exception {
    management()
        .updateStream(
            StreamConfiguration.builder(configuration(Subjects.COMMAND_STREAM))
                .maxAge(Duration.ofHours(1))
                .maxBytes(1 << 20)
                .build());

    streams.initialize(nats.connection());

    assertThat(configuration(Subjects.COMMAND_STREAM).getMaxAge()).isEqualTo(Duration.ofDays(30));
    assertThat(configuration(Subjects.COMMAND_STREAM).getMaxBytes()).isEqualTo(1 << 20);
  }

  @Test
  void streamsAreCreatedAgainAfterDataLoss() throws Exception {
    management().deleteStream(Subjects.COMMAND_STREAM);

    streams.initialize(nats.connection());

    assertThat(configuration(Subjects.COMMAND_STREAM).getSubjects()).containsExactly(Subjects.ALL_COMMANDS);
  }

  @Test
  void aHostCannotHaveTheEventsOfAnotherOneDropped() throws Exception {
    assertThat(configuration(Subjects.EVENT_STREAM).getDuplicateWindow()).isLessThanOrEqualTo(Duration.ofMillis(100));
    assertThat(publish("acme.thief", "stolen.outcome")).contains("\"seq\"");

    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !publish("acme.victim", "stolen.outcome").contains("\"duplicate\":true"));
  }

  @Test
  void streamThatCameOutSmallerIsSaidAndGrowsAsSoonAsItCan() throws Exception {
    management().deleteStream(Subjects.EVENT_STREAM);
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    // More than any disk of a test has.
    new StreamProvisioner(new StreamPlacement(1), sizes(1L << 30, 1L << 60), meters).initialize(nats.connection());
    long reduced = configuration(Subjects.EVENT_STREAM).getMaxBytes();

    assertThat(reduced).isLessThan(1L << 60);
    assertThat(meters.get("uplift.stream.max.bytes").tag("stream", Subjects.EVENT_STREAM).gauge().value())
        .isEqualTo((double) reduced);
    assertThat(meters.get("uplift.stream.wanted.bytes").tag("stream", Subjects.EVENT_STREAM).gauge().value())
        .isEqualTo((double) (1L << 60));

    new StreamProvisioner(new StreamPlacement(1), sizes(1L << 30, reduced + (1 << 20)), meters)
        .initialize(nats.connection());

    assertThat(configuration(Subjects.EVENT_STREAM).getMaxBytes()).isEqualTo(reduced + (1 << 20));
    new StreamProvisioner(new StreamPlacement(1), sizes(1L << 30, reduced + (2 << 20)), meters)
        .initialize(nats.connection());
    assertThat(configuration(Subjects.EVENT_STREAM).getMaxBytes())
        .as("it has what was wanted, and is the operator's from then on")
        .isEqualTo(reduced + (1 << 20));
  }

  @Test
  void eachStreamIsCreatedWithTheBytesOfItsSetting() throws Exception {
    for (String stream : StreamProvisioner.STREAMS) {
      management().deleteStream(stream);
    }

    new StreamProvisioner(new StreamPlacement(1), StreamSizes.ofMebibytes(65, 66, 67, 68), new SimpleMeterRegistry())
        .initialize(nats.connection());

    assertThat(configuration(Subjects.COMMAND_STREAM).getMaxBytes()).isEqualTo(65L << 20);
    assertThat(configuration(Subjects.EVENT_STREAM).getMaxBytes()).isEqualTo(66L << 20);
    assertThat(configuration(Subjects.INFO_STREAM).getMaxBytes()).isEqualTo(67L << 20);
    assertThat(configuration(Subjects.TRUST_STREAM).getMaxBytes()).isEqualTo(68L << 20);
  }

  private static StreamSizes sizes(long commands, long events) {
    return new StreamSizes(commands, events, StreamSizes.DEFAULTS.infos(), StreamSizes.DEFAULTS.roots());
  }

  /// Publishes an event of a host. Returns the answer of the stream.
  private String publish(String host, String messageId) throws Exception {
    Connection device = TestStacks.connectAsDevice(stack, TestStacks.TENANT);
    try {
      Headers headers = new Headers().put("Nats-Msg-Id", messageId);
      return new String(
          requireNonNull(device.request(Subjects.events(host), headers, new byte[1], Duration.ofSeconds(30))).getData(),
          UTF_8);
    } finally {
      device.close();
    }
  }

  private JetStreamManagement management() throws Exception {
    return nats.connection().jetStreamManagement();
  }

  private StreamConfiguration configuration(String stream) throws Exception {
    return management().getStreamInfo(stream).getConfiguration();
  }
}
