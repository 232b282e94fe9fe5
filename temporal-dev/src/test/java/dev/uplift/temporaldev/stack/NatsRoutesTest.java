package dev.uplift.temporaldev.stack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nats.client.Message;
import io.nats.client.Subscription;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The routes between the nats-servers of a cluster whose parts can be cut off.
@Timeout(120)
final class NatsRoutesTest {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Duration LONG_ENOUGH = Duration.ofMillis(300);
  private static final String HEARTBEAT = "device-heartbeat.acme.left.1";

  private static final Stack STACK = Stack.temporary().cluster().serverLinks().open();
  private static final List<NatsServer> SERVERS = STACK.cluster().natsServers();

  @BeforeAll
  static void start() {
    SERVERS.forEach(StackProcess::launch);
    SERVERS.forEach(StackProcess::awaitReady);
  }

  @AfterAll
  static void stop() {
    STACK.close();
  }

  @Test
  void whatIsSentToANatsServerThatIsCutOffArrivesAfterwards() throws Exception {
    NatsServer cut = SERVERS.getFirst();
    try (NatsTestClient cutSide = NatsTestClient.connectAsFleet(cut, "acme");
        NatsTestClient otherSide = NatsTestClient.connectAsFleet(SERVERS.get(1), "acme");
        NatsTestClient listener = NatsTestClient.connectAsServer(SERVERS.getLast())) {
      Subscription heard = listener.connection().subscribe("device-heartbeat.>");
      awaitRoute(cutSide, heard);
      awaitRoute(otherSide, heard);

      cut.cutOff();

      publish(cutSide, "from the one that is cut off");
      publish(otherSide, "from the other one");
      assertThat(text(heard.nextMessage(SOON))).isEqualTo("from the other one");
      assertThat(heard.nextMessage(LONG_ENOUGH)).isNull();

      cut.reconnect();

      assertThat(text(heard.nextMessage(SOON))).isEqualTo("from the one that is cut off");
    }
  }

  @Test
  void aNatsServerThatComesBackIsReachedByItsLinksOnly() throws Exception {
    NatsServer cut = SERVERS.get(1);
    cut.kill();
    cut.start();
    try (NatsTestClient cutSide = NatsTestClient.connectAsFleet(cut, "acme");
        NatsTestClient listener = NatsTestClient.connectAsServer(SERVERS.getFirst());
        NatsTestClient another = NatsTestClient.connectAsServer(SERVERS.getLast())) {
      Subscription heard = listener.connection().subscribe("device-heartbeat.>");
      Subscription heardByAnother = another.connection().subscribe("device-heartbeat.>");
      awaitRoute(cutSide, heard);
      awaitRoute(cutSide, heardByAnother);
      drain(heard);

      cut.cutOff();

      publish(cutSide, "late");
      assertThat(heard.nextMessage(LONG_ENOUGH)).isNull();
      assertThat(heardByAnother.nextMessage(LONG_ENOUGH)).isNull();

      cut.reconnect();

      assertThat(text(heard.nextMessage(SOON))).isEqualTo("late");
      assertThat(text(heardByAnother.nextMessage(SOON))).isEqualTo("late");
    }
  }

  @Test
  void aHostIsReadyAtANatsServerThatIsCutOff() throws Exception {
    for (NatsServer cut : SERVERS) {
      try (NatsTestClient host = NatsTestClient.connectAsFleet(cut, "acme");
          var watch = new FirstHeartbeatWatch(SERVERS.getFirst(), "acme", "left")) {
        cut.cutOff();
        try {
          publish(host, "heartbeat");

          await(cut.name()).atMost(SOON).until(watch::awaitBriefly);
        } finally {
          cut.reconnect();
        }
      }
    }
  }

  /// Publishes until a message arrives, because routes and the interest of others become known only after a while.
  private static void awaitRoute(NatsTestClient from, Subscription to) throws Exception {
    do {
      publish(from, "first");
    } while (to.nextMessage(LONG_ENOUGH) == null);
    drain(to);
  }

  private static void drain(Subscription subscription) throws InterruptedException {
    while (subscription.nextMessage(LONG_ENOUGH) != null) {
      // Another of the first messages.
    }
  }

  private static void publish(NatsTestClient client, String text) throws Exception {
    client.connection().publish(HEARTBEAT, text.getBytes(UTF_8));
    client.connection().flush(SOON);
  }

  private static String text(Message message) {
    return message == null ? "nothing" : new String(message.getData(), UTF_8);
  }
}
