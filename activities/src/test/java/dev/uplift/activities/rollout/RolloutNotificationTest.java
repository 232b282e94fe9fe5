package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An activity that polls once an hour makes a pass at once when an upgrade ends in its own process, and after an
/// action of an operator.
@Timeout(240)
final class RolloutNotificationTest {
  @Test
  void outcomesAndActionsInThisProcessStartAPass() {
    try (RolloutTestWorker worker = new RolloutTestWorker(Duration.ofHours(1))) {
      worker.register("woken", 12);
      RolloutId id = worker.start(RolloutScenario.inTwoWaves("woken", 2, 3));
      assertThat(worker.awaitState(id, RolloutState.ENDED).outcome()).contains(RolloutOutcome.UPGRADED);

      worker.register("halted", 6);
      worker.hosts.blockPrepare();
      RolloutId halted = worker.start(RolloutScenario.inOneWave("halted", 3));
      await().atMost(RolloutTestWorker.TIMEOUT).until(() -> worker.hosts.prepared().size() == 15);
      worker.update(halted, OperatorAction.ABORT);
      worker.hosts.unblock();
      assertThat(worker.awaitState(halted, RolloutState.ENDED).outcome()).contains(RolloutOutcome.ABORTED);
    }
  }
}
