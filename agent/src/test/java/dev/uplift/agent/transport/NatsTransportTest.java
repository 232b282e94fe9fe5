package dev.uplift.agent.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import dev.uplift.protocol.Subjects;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Over a real nats-server.
final class NatsTransportTest {
  private static final String TENANT = "acme";
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String HEARTBEAT = Subjects.heartbeat(Subjects.hostAddress(TENANT, "host"), "instance");

  /// More than are sent at once.
  private static final int HEARTBEATS = 1_000;

  @Test
  void aConnectionThatCannotBeUsedIsMadeAgain() {
    try (Stack stack = TestServers.stack().open()) {
      stack.nats().start();
      var listener = new ListenerOfABrokenConnection();
      try (var transport = new NatsTransport(settings(stack))) {
        transport.subscribe("uplift." + TENANT + ".test", listener);
        transport.start();

        await("a second connection").atMost(TIMEOUT).until(() -> listener.connections.get() == 2);
        assertThat(transport.isConnected()).isTrue();
      }
    }
  }

  @Test
  void whatWasPublishedBeforeTheCloseArrives() {
    try (Stack stack = TestServers.stack().open()) {
      stack.nats().start();
      var received = new AtomicInteger();
      try (var _ = stack.nats().subscribe(HEARTBEAT, (_, _) -> received.incrementAndGet())) {
        try (var transport = new NatsTransport(settings(stack))) {
          transport.start();
          await("a connection").atMost(TIMEOUT).until(transport::isConnected);
          for (int number = 0; number < HEARTBEATS; number++) {
            transport.publish(HEARTBEAT, new byte[1024]);
          }
        }

        await("all of them").atMost(TIMEOUT).untilAtomic(received, equalTo(HEARTBEATS));
      }
    }
  }

  private static TransportSettings settings(Stack stack) {
    return new TransportSettings(
        stack.nats().url(),
        Optional.of(stack.nats().operator().fleetCredentials(TENANT)),
        "",
        Optional.empty(),
        "_INBOX." + TENANT + ".test",
        "test",
        () -> false);
  }

  /// Finds the first connection closed, as the library says it.
  private static final class ListenerOfABrokenConnection implements Transport.Listener {
    private final AtomicInteger connections = new AtomicInteger();

    @Override
    public void onConnected() {
      if (connections.incrementAndGet() == 1) {
        throw new IllegalStateException("Connection is Closed");
      }
    }

    @Override
    public void onMessage() {}
  }
}
