package dev.uplift.activities.device;

import dev.uplift.activities.device.UpgradeReconciler.ReconciledTables;
import dev.uplift.activities.metrics.UpgradeMetrics;
import dev.uplift.activities.reconciler.FailingWorkflowMonitor;
import dev.uplift.activities.rollout.RolloutStepsActivities;
import dev.uplift.activities.temporal.ActivityCompleter;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.services.Repositories;
import dev.uplift.services.ServerIntervals;
import dev.uplift.services.messaging.LatestCommandStream;
import dev.uplift.services.upgrade.DeviceFactsLoader;
import dev.uplift.store.reconciler.ReconcilerLeaseRepository;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/// The beans of this package that need more than other beans.
@Factory
final class DeviceActivitiesFactory {
  /// A rollout of which an upgrade has ended here makes its next pass at once.
  @Singleton
  DeviceRecordsActivities records(
      UpgradeRecorder recorder,
      Repositories repositories,
      DeviceFactsLoader factsLoader,
      WindowStatusReader windows,
      UpgradeMetrics metrics,
      RolloutStepsActivities rollouts) {
    return new DeviceRecordsActivities(
        recorder,
        repositories,
        factsLoader,
        windows,
        metrics,
        rollouts::notifyChanged,
        DeviceRecordsActivities::currentRunId);
  }

  @Singleton
  UpgradeReconciler reconciler(
      Repositories repositories,
      UpgradeWorkflowClient workflows,
      ActivityCompleter activities,
      ReconcilerLeaseRepository leases,
      LatestCommandStream commandStream,
      FailingWorkflowMonitor failingWorkflows,
      UpgradeMetrics metrics,
      ServerIntervals intervals) {
    return new UpgradeReconciler(
        new ReconciledTables(repositories.upgrades(), repositories.commands(), repositories.heartbeatWaits(), leases),
        workflows,
        activities,
        commandStream,
        failingWorkflows,
        metrics,
        intervals.reconcileEvery());
  }
}
