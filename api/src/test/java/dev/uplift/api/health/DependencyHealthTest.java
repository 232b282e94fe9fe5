package dev.uplift.api.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.services.messaging.MonotonicClock;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.NatsSettings;
import dev.uplift.services.messaging.StreamProvisioner;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class DependencyHealthTest {
  @Test
  void streamsThatNatsCannotHaveAreNamed() {
    try (Stack stack = TestServers.stack().open();
        var nats =
            new NatsConnection(
                NatsSettings.of(stack.nats().url(), stack.nats().operator().serverCredentials()),
                new MonotonicClock())) {
      stack.nats().start();
      nats.addInitializer(new StreamProvisioner(3));

      assertThat(detailsAfterAFailure(nats).getFirst()).startsWith("stream CMD cannot have 3 replicas: NATS says: ");
    }
  }

  @Test
  void anAddressThatDoesNotAnswerIsNotShownToAnybody() {
    var settings = new NatsSettings("nats://ann:hunter2@127.0.0.1:1", Optional.empty(), Optional.empty(), 1);
    try (var nats = new NatsConnection(settings, new MonotonicClock())) {
      assertThat(detailsAfterAFailure(nats)).containsExactly("NATS cannot be reached, or refuses the login");
    }
  }

  private static List<String> detailsAfterAFailure(NatsConnection nats) {
    nats.start();
    await().atMost(Duration.ofSeconds(60)).until(() -> nats.failure().isPresent());
    HealthResult result = DependencyHealth.check(nats);
    assertThat(result.getStatus()).isEqualTo(HealthStatus.DOWN);
    return ((List<?>) result.getDetails()).stream().map(String::valueOf).toList();
  }
}
