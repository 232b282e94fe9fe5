package dev.uplift.workflows.barrier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.workflows.StoredHistories;
import dev.uplift.workflows.StoredHistoriesScenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Barriers of earlier versions are brought to their end by this one.
final class StoredBarriersTest extends StoredHistoriesScenario {
  static final StoredHistories STORED = new StoredHistories("barriers", BarrierImpl.class);

  StoredBarriersTest() {
    super(STORED);
  }

  @Test
  void everyPathHasAStoredHistory() {
    assertThat(List.of("completed", "completed-without", "missing", "aborted", "expired", "migrated", "not-migrated"))
        .allSatisfy(way -> assertThat(STORED.of(way)).exists());
  }
}
