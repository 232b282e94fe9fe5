package dev.uplift.agent.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
