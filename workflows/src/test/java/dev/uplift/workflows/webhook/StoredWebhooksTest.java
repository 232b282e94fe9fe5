package dev.uplift.workflows.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.workflows.StoredHistories;
import dev.uplift.workflows.StoredHistoriesScenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Webhooks that earlier versions have sent are sent by this one.
final class StoredWebhooksTest extends StoredHistoriesScenario {
  static final StoredHistories STORED = new StoredHistories("webhooks", WebhookDeliveryImpl.class);

  StoredWebhooksTest() {
    super(STORED);
  }

  @Test
  void everyPathHasAStoredHistory() {
    assertThat(List.of("told-and-disabled", "failing", "changed-while-failing", "deleted"))
        .allSatisfy(way -> assertThat(STORED.of(way)).exists());
  }
}
