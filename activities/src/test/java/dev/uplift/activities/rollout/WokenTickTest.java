package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.Steer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A tick that would look again after an hour looks at once when an upgrade ends in its own
/// process, and when a person says something.
@Timeout(240)
final class WokenTickTest {
  @Test
  void endsAndWishesOfThisProcessWakeIt() {
    try (RolloutWorld world = new RolloutWorld(Duration.ofHours(1))) {
      world.register("woken", 12);
      RolloutId id = world.start(RolloutScenario.inTwoWaves("woken", 2, 3));
      assertThat(world.awaitState(id, RolloutState.ENDED).outcome())
          .contains(RolloutOutcome.UPGRADED);

      world.register("halted", 6);
      world.hosts.holdUp();
      RolloutId halted = world.start(RolloutScenario.inOneWave("halted", 3));
      await().atMost(RolloutWorld.PATIENCE).until(() -> world.hosts.prepared().size() == 15);
      world.steer(halted, Steer.ABORT);
      world.hosts.goOn();
      assertThat(world.awaitState(halted, RolloutState.ENDED).outcome())
          .contains(RolloutOutcome.ABORTED);
    }
  }
}
