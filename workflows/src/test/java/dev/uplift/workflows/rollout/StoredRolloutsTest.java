package dev.uplift.workflows.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.workflows.StoredHistories;
import io.temporal.common.WorkflowExecutionHistory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Workflows started by earlier versions continue with this one.
final class StoredRolloutsTest {
  static final StoredHistories STORED = new StoredHistories("rollouts", RolloutImpl.class);

  static List<Path> histories() throws IOException {
    return STORED.all();
  }

  @ParameterizedTest
  @MethodSource("histories")
  void storedHistoryReplays(Path file) throws Exception {
    STORED.replay(StoredHistories.read(file));
  }

  @ParameterizedTest
  @MethodSource("histories")
  void storedHistoryThatIsCutOffAtAnyTaskReplays(Path file) throws Exception {
    List<WorkflowExecutionHistory> cutOff = StoredHistories.cutOffAtEachTask(StoredHistories.read(file));

    assertThat(cutOff).isNotEmpty();
    STORED.replay(cutOff.toArray(WorkflowExecutionHistory[]::new));
  }

  @Test
  void everyOutcomeAndEveryOtherPathHasAStoredHistory() {
    assertThat(RolloutOutcome.values()).allSatisfy(outcome -> assertThat(STORED.of(outcome)).exists());
    assertThat(List.of("cancelled", "continued-as-new", "paused-and-resumed"))
        .allSatisfy(way -> assertThat(STORED.of(way)).exists());
  }
}
