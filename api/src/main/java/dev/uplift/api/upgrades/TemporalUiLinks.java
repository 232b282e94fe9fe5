package dev.uplift.api.upgrades;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.temporal.TemporalSettings;
import dev.uplift.fleet.RolloutId;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.rollout.RolloutInput;
import jakarta.inject.Singleton;
import java.net.URLEncoder;
import java.util.Optional;

/// Builds links to Temporal Web UI.
@Singleton
public final class TemporalUiLinks {
  private final TemporalSettings settings;

  TemporalUiLinks(TemporalSettings settings) {
    this.settings = settings;
  }

  /// Returns the link to the run of an upgrade; to the device's newest run if it is not known.
  Optional<String> upgrade(UpgradeRow row) {
    return workflow(UpgradePlan.workflowId(row.device()), row.runId().isEmpty() ? "" : "/" + encoded(row.runId()));
  }

  /// Returns the link to the newest run of a rollout.
  public Optional<String> rollout(RolloutId id) {
    return workflow(RolloutInput.workflowId(id.tenant(), id.name()), "");
  }

  private Optional<String> workflow(String id, String run) {
    return Optional.of(settings.uiUrl())
        .filter(base -> !base.isEmpty())
        .map(
            base -> "%s/namespaces/%s/workflows/%s%s".formatted(base, encoded(settings.namespace()), encoded(id), run));
  }

  /// Encodes a slash as well, because the page would not find the id otherwise.
  private static String encoded(String id) {
    return URLEncoder.encode(id, UTF_8).replace("+", "%20");
  }
}
