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

/// The parts of this package that a worker needs, put together.
///
/// @param steps for a worker
/// @param records for a worker
/// @param reconciler runs now and then
public record RolloutActivitiesFactory(RolloutStepsActivities steps, RolloutRecordsActivities records, RolloutReconciler reconciler) {
  /// All of them, made from what they need.
  ///
  /// @param pace of each device's upgrade
  /// @param rollouts pace of rollouts whose workflow was lost
  public static RolloutActivitiesFactory of(RolloutRepositories repositories, ServerConnections connections, UpgradeTimeouts timeouts, RolloutTimeouts rollouts) {
    return of(repositories, connections, timeouts, rollouts, RolloutStepsActivities.POLL_INTERVAL);
  }

  /// Whose ticks look again after another time.
  static RolloutActivitiesFactory of(
      RolloutRepositories repositories, ServerConnections connections, UpgradeTimeouts timeouts, RolloutTimeouts rollouts, Duration look) {
    var ticks =
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
            look);
    return new RolloutActivitiesFactory(
        ticks,
        new RolloutRecordsActivities(repositories, ticks::notifyChanged),
        new RolloutReconciler(repositories, new RolloutStarter(connections.temporal(), rollouts)));
  }
}
