package dev.uplift.workflows.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.workflows.StoredHistories;
import io.temporal.common.WorkflowExecutionHistory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Policies enforced by earlier versions are enforced by this one.
final class StoredPoliciesTest {
  static final StoredHistories STORED = new StoredHistories("policies", PolicyEnforcementImpl.class);

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
  void everyPathHasAStoredHistory() {
    assertThat(List.of("disabled", "devices-and-timer", "run")).allSatisfy(way -> assertThat(STORED.of(way)).exists());
  }
}
