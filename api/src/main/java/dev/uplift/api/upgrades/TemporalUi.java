package dev.uplift.api.upgrades;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.api.settings.Settings;
import dev.uplift.fleet.RolloutId;
import dev.uplift.store.UpgradeRow;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.rollout.RolloutStart;
import jakarta.inject.Singleton;
import java.net.URLEncoder;
import java.util.Optional;

/// Addresses in Temporal Web UI.
@Singleton
public final class TemporalUi {
  private final Settings settings;

  TemporalUi(Settings settings) {
    this.settings = settings;
  }

  /// Of the run of an upgrade; of the device's newest one where the run is not known.
  Optional<String> upgrade(UpgradeRow row) {
    return workflow(
        UpgradePlan.workflowId(row.device()), row.run().map(run -> "/" + encoded(run)).orElse(""));
  }

  /// Of the newest run of a rollout.
  public Optional<String> rollout(RolloutId id) {
    return workflow(RolloutStart.workflowId(id.tenant(), id.name()), "");
  }

  private Optional<String> workflow(String id, String run) {
    return Optional.of(settings.temporalUi())
        .filter(base -> !base.isEmpty())
        .map(base ->
            "%s/namespaces/%s/workflows/%s%s"
                .formatted(
                    base, encoded(settings.wiring().temporal().namespace()), encoded(id), run));
  }

  /// A slash in an id has to be `%2F`: the page does not find it otherwise.
  private static String encoded(String id) {
    return URLEncoder.encode(id, UTF_8).replace("+", "%20");
  }
}
