package dev.uplift.activities.device;

import dev.uplift.activities.connection.ServerConnections;
import dev.uplift.activities.temporal.WorkflowStatusReader;
import dev.uplift.fleet.RolloutId;
import dev.uplift.services.Repositories;
import dev.uplift.services.messaging.LatestCommandStream;
import dev.uplift.services.upgrade.DeviceFactsLoader;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The parts of this package, put together.
///
/// @param records for a worker
/// @param reconciler runs now and then
public record DeviceActivitiesFactory(
    DeviceRecordsActivities records, UpgradeReconciler reconciler) {

  /// All of them, made from what they need.
  ///
  /// @param reconcileEvery how often the reconciler runs
  public static DeviceActivitiesFactory of(
      Repositories repositories, ServerConnections connections, Duration reconcileEvery) {
    return of(repositories, connections, reconcileEvery, _ -> {});
  }

  /// The same.
  ///
  /// @param ended is told at once of a rollout of which an upgrade has ended here
  public static DeviceActivitiesFactory of(
      Repositories repositories,
      ServerConnections connections,
      Duration reconcileEvery,
      Consumer<RolloutId> ended) {
    return of(
        repositories, connections, reconcileEvery, ended, DeviceRecordsActivities::currentRunId);
  }

  /// Its records are asked by this run, whoever calls.
  static DeviceActivitiesFactory of(
      Repositories repositories,
      ServerConnections connections,
      Duration reconcileEvery,
      Consumer<RolloutId> ended,
      Supplier<String> run) {
    DeviceFactsLoader factsLoader = new DeviceFactsLoader(repositories, connections.presence());
    return new DeviceActivitiesFactory(
        new DeviceRecordsActivities(
            repositories.upgrades(),
            factsLoader,
            new WindowStatusReader(repositories.devices(), repositories.labelWindows()),
            ended,
            run),
        new UpgradeReconciler(
            repositories.upgrades(),
            repositories.commands(),
            new WorkflowStatusReader(connections.temporal()),
            new LatestCommandStream(connections.nats()),
            reconcileEvery));
  }
}
