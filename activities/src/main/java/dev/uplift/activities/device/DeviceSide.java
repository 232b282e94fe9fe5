package dev.uplift.activities.device;

import dev.uplift.activities.links.Links;
import dev.uplift.activities.links.Tables;
import dev.uplift.activities.nats.CommandSlot;
import dev.uplift.activities.temporal.Fates;
import dev.uplift.fleet.RolloutId;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The parts of this package, put together.
///
/// @param records for a worker
/// @param reconciler runs now and then
public record DeviceSide(RecordsInTables records, Reconciler reconciler) {

  /// All of them, made from what they need.
  ///
  /// @param reconcileEvery how often the reconciler runs
  public static DeviceSide of(Tables tables, Links links, Duration reconcileEvery) {
    return of(tables, links, reconcileEvery, _ -> {});
  }

  /// The same.
  ///
  /// @param ended is told at once of a rollout of which an upgrade has ended here
  public static DeviceSide of(
      Tables tables, Links links, Duration reconcileEvery, Consumer<RolloutId> ended) {
    return of(tables, links, reconcileEvery, ended, RecordsInTables::runOfThisActivity);
  }

  /// Its records are asked by this run, whoever calls.
  static DeviceSide of(
      Tables tables,
      Links links,
      Duration reconcileEvery,
      Consumer<RolloutId> ended,
      Supplier<String> run) {
    Facts facts = new Facts(tables, links.presence());
    return new DeviceSide(
        new RecordsInTables(
            tables.upgrades(),
            facts,
            new DeviceWindows(tables.devices(), tables.labelWindows()),
            ended,
            run),
        new Reconciler(
            tables.upgrades(),
            tables.commands(),
            new Fates(links.temporal()),
            new CommandSlot(links.nats()),
            reconcileEvery));
  }
}
