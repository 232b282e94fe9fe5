package dev.uplift.workflows.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.workflows.StoredHistories;
import dev.uplift.workflows.StoredHistoriesScenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Policies enforced by earlier versions are enforced by this one.
final class StoredPoliciesTest extends StoredHistoriesScenario {
  static final StoredHistories STORED = new StoredHistories("policies", PolicyEnforcementImpl.class);

  StoredPoliciesTest() {
    super(STORED);
  }

  @Test
  void everyPathHasAStoredHistory() {
    assertThat(List.of("disabled", "devices-and-timer", "run")).allSatisfy(way -> assertThat(STORED.of(way)).exists());
  }
}
