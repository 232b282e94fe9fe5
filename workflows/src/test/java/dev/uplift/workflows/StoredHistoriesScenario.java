package dev.uplift.workflows;

import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.common.WorkflowExecutionHistory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Workflows of one type that earlier versions have started continue with this one.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class StoredHistoriesScenario {
  private final StoredHistories stored;

  protected StoredHistoriesScenario(StoredHistories stored) {
    this.stored = stored;
  }

  List<Path> histories() throws IOException {
    return stored.all();
  }

  @ParameterizedTest
  @MethodSource("histories")
  void storedHistoryReplays(Path file) throws Exception {
    stored.replay(StoredHistories.read(file));
  }

  @ParameterizedTest
  @MethodSource("histories")
  void storedHistoryThatIsCutOffAtAnyTaskReplays(Path file) throws Exception {
    List<WorkflowExecutionHistory> cutOff = StoredHistories.cutOffAtEachTask(StoredHistories.read(file));

    assertThat(cutOff).isNotEmpty();
    stored.replay(cutOff.toArray(WorkflowExecutionHistory[]::new));
  }
}
