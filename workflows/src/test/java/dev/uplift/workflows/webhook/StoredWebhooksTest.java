package dev.uplift.workflows.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.workflows.StoredHistories;
import io.temporal.common.WorkflowExecutionHistory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Webhooks that earlier versions have sent are sent by this one.
final class StoredWebhooksTest {
  static final StoredHistories STORED = new StoredHistories("webhooks", WebhookDeliveryImpl.class);

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
    assertThat(List.of("told-and-disabled", "failing", "changed-while-failing", "deleted"))
        .allSatisfy(way -> assertThat(STORED.of(way)).exists());
  }
}
