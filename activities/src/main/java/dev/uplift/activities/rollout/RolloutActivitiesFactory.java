package dev.uplift.activities.rollout;

import dev.uplift.activities.connection.ServerConnections;
import dev.uplift.activities.temporal.RolloutStarter;
import dev.uplift.activities.temporal.UpgradeSignals;
import dev.uplift.activities.temporal.UpgradeStarter;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.activities.temporal.WorkflowStatusReader;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.workflows.device.UpgradeTimeouts;
import dev.uplift.workflows.rollout.RolloutTimeouts;
import java.time.Duration;

/// The parts of this package that a worker needs.
///
/// @param reconciler to be run periodically
public record RolloutActivitiesFactory(
    RolloutStepsActivities steps, RolloutRecordsActivities records, RolloutReconciler reconciler) {
  /// Creates them from what they need.
  ///
  /// @param timeouts of each device's upgrade
  /// @param rollouts time-outs of rollouts that the reconciler starts
  public static RolloutActivitiesFactory of(
      RolloutRepositories repositories,
      ServerConnections connections,
      UpgradeTimeouts timeouts,
      RolloutTimeouts rollouts) {
    return of(repositories, connections, timeouts, rollouts, RolloutStepsActivities.POLL_INTERVAL);
  }

  /// With another poll interval.
  static RolloutActivitiesFactory of(
      RolloutRepositories repositories,
      ServerConnections connections,
      UpgradeTimeouts timeouts,
      RolloutTimeouts rollouts,
      Duration pollInterval) {
    var steps =
        new RolloutStepsActivities(
            repositories,
            connections.presence(),
            new UpgradeLauncher(
                repositories,
                new UpgradeStarter(connections.temporal()),
                new WorkflowStatusReader(connections.temporal()),
                new PreparedDevices(repositories, new UpgradeSignals(connections.temporal())),
                timeouts),
            new UpgradeWorkflowClient(connections.temporal()),
            pollInterval);
    return new RolloutActivitiesFactory(
        steps,
        new RolloutRecordsActivities(repositories, steps::notifyChanged),
        new RolloutReconciler(repositories, new RolloutStarter(connections.temporal(), rollouts)));
  }
}
