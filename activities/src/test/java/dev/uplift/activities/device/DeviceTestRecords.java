package dev.uplift.activities.device;

import dev.uplift.activities.metrics.UpgradeMetrics;
import dev.uplift.fleet.RolloutId;
import dev.uplift.services.Repositories;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.upgrade.DeviceFactsLoader;
import dev.uplift.workflows.device.DeviceRecords;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.function.Consumer;

/// Creates [DeviceRecordsActivities] for tests of other packages.
public final class DeviceTestRecords {
  private DeviceTestRecords() {}

  /// Creates them.
  ///
  /// @param ended receives the rollout of each upgrade that has ended
  public static DeviceRecords create(RolloutRepositories tables, Presence presence, Consumer<RolloutId> ended) {
    Repositories repositories = tables.common();
    var metrics = new UpgradeMetrics(new SimpleMeterRegistry());
    return new DeviceRecordsActivities(
        new UpgradeRecorder(tables, metrics),
        repositories,
        new DeviceFactsLoader(repositories, presence),
        new WindowStatusReader(repositories.devices(), repositories.labelWindows()),
        metrics,
        ended,
        DeviceRecordsActivities::currentRunId);
  }
}
