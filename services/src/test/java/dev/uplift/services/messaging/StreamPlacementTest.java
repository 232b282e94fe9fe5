package dev.uplift.services.messaging;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Subjects;
import dev.uplift.services.TestStacks;
import dev.uplift.temporaldev.stack.NatsServer;
import dev.uplift.temporaldev.stack.Stack;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nats.client.JetStreamApiException;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// On three nats-servers.
final class StreamPlacementTest {
  private final Stack stack = Stack.temporary().cluster().open();
  private final NatsConnection nats = new NatsConnection(TestStacks.natsSettings(stack), new MonotonicClock());

  @BeforeEach
  void start() {
    stack.cluster().natsServers().forEach(NatsServer::launch);
    stack.cluster().natsServers().forEach(NatsServer::awaitReady);
    nats.start();
    await().until(() -> nats.status().connected());
  }

  @AfterEach
  void stop() {
    nats.close();
    stack.close();
  }

  @Test
  void streamsAreWhereTheyAreWantedAndStayThere() {
    // Without a leader, seconds after their start, they refuse everything or do not answer.
    await()
        .ignoreExceptions()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> provision(new StreamPlacement(3, Optional.of(NatsServer.CLUSTER), List.of())));
    assertThat(placementOf(Subjects.EVENT_STREAM)).isEqualTo(NatsServer.CLUSTER + " 3");

    await().ignoreExceptions().atMost(Duration.ofMinutes(1)).untilAsserted(() -> provision(new StreamPlacement(1)));
    assertThat(placementOf(Subjects.EVENT_STREAM)).isEqualTo(NatsServer.CLUSTER + " 3");
  }

  @Test
  void aPlacementThatNatsDoesNotHaveIsRefusedInWords() {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() ->
            assertThatThrownBy(() -> provision(new StreamPlacement(3, Optional.empty(), List.of("ssd"))))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(
                    "stream CMD cannot have 3 replicas on servers tagged ssd: NATS says: no suitable peers"));
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() ->
            assertThatThrownBy(() -> provision(new StreamPlacement(3, Optional.of("elsewhere"), List.of())))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(
                    "stream CMD cannot have 3 replicas in cluster elsewhere: NATS says: no suitable peers"));
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() ->
            assertThatThrownBy(() -> provision(new StreamPlacement(5)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("stream CMD cannot have 5 replicas: NATS says: no suitable peers"));
  }

  private void provision(StreamPlacement placement) throws Exception {
    new StreamProvisioner(placement, StreamSizes.ofMebibytes(64, 64, 64, 64), new SimpleMeterRegistry())
        .initialize(nats.connection());
  }

  private String placementOf(String stream) {
    try {
      StreamConfiguration found = nats.connection().jetStreamManagement().getStreamInfo(stream).getConfiguration();
      return requireNonNull(found.getPlacement()).getCluster() + " " + found.getReplicas();
    } catch (IOException | JetStreamApiException e) {
      throw new IllegalStateException(e);
    }
  }
}
