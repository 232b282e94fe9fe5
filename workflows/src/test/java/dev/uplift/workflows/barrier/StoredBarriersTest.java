package dev.uplift.workflows.barrier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.workflows.StoredHistories;
import io.temporal.common.WorkflowExecutionHistory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Barriers of earlier versions are brought to their end by this one.
final class StoredBarriersTest {
  static final StoredHistories STORED = new StoredHistories("barriers", BarrierImpl.class);

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
    assertThat(List.of("completed", "completed-without", "missing", "aborted", "expired", "migrated", "not-migrated"))
        .allSatisfy(way -> assertThat(STORED.of(way)).exists());
  }
}
