package dev.uplift.workflows.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.workflows.StoredHistories;
import dev.uplift.workflows.StoredHistoriesScenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Workflows started by earlier versions continue with this one.
final class StoredRolloutsTest extends StoredHistoriesScenario {
  static final StoredHistories STORED = new StoredHistories("rollouts", RolloutImpl.class);

  StoredRolloutsTest() {
    super(STORED);
  }

  @Test
  void everyOutcomeAndEveryOtherPathHasAStoredHistory() {
    assertThat(RolloutOutcome.values()).allSatisfy(outcome -> assertThat(STORED.of(outcome)).exists());
    assertThat(List.of("cancelled", "continued-as-new", "paused-and-resumed"))
        .allSatisfy(way -> assertThat(STORED.of(way)).exists());
  }
}
