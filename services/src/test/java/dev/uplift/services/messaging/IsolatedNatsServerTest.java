package dev.uplift.services.messaging;

import static org.awaitility.Awaitility.await;

import dev.uplift.services.TestStacks;
import dev.uplift.temporaldev.stack.NatsServer;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackProcess;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A server is connected to one of three nats-servers, which is cut off from the other two.
@Timeout(300)
final class IsolatedNatsServerTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final int TIMES_AS_FAST = 10;

  private final Stack stack = Stack.temporary().cluster().serverLinks().open();
  private final List<NatsServer> all = stack.cluster().natsServers();
  private final NatsConnection nats = new NatsConnection(TestStacks.natsSettings(stack), fastClock());
  private final StreamMonitor monitor = new StreamMonitor(nats, new SimpleMeterRegistry());

  private static InstantSource fastClock() {
    InstantSource clock = new MonotonicClock();
    Instant begin = clock.instant();
    return () -> begin.plus(Duration.between(begin, clock.instant()).multipliedBy(TIMES_AS_FAST));
  }

  @BeforeEach
  void start() {
    all.forEach(StackProcess::launch);
    all.forEach(StackProcess::awaitReady);
    nats.addInitializer(new StreamProvisioner(all.size()));
    nats.start();
    await().atMost(TIMEOUT).until(() -> nats.status().connected());
    monitor.start();
  }

  @AfterEach
  void stop() {
    monitor.close();
    nats.close();
    stack.close();
  }

  @Test
  void aNatsServerThatIsCutOffFromItsPeersIsLeftForOneThatIsNot() {
    int before = connectedPort();
    NatsServer isolated = all.stream().filter(each -> each.port() == before).findAny().orElseThrow();

    isolated.cutOff();

    await("it is connected to another one")
        .atMost(TIMEOUT)
        .until(() -> nats.status().connected() && connectedPort() != before);
  }

  private int connectedPort() {
    return nats.connection().getServerInfo().getPort();
  }
}
