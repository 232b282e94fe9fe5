package dev.uplift.activities.rollout;

import dev.uplift.activities.links.Tables;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Steering;
import dev.uplift.store.Audit;
import dev.uplift.store.Database;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.LabelWindows;
import dev.uplift.store.RolloutCounts;
import dev.uplift.store.RolloutDecisions;
import dev.uplift.store.RolloutHosts;
import dev.uplift.store.RolloutQueue;
import dev.uplift.store.RolloutReverts;
import dev.uplift.store.RolloutTargets;
import dev.uplift.store.RolloutWaves;
import dev.uplift.store.Rollouts;
import java.time.Clock;
import java.util.Optional;

/// The tables that rollouts work with.
///
/// @param others those of devices and upgrades
public record RolloutTables(
    Database database,
    Rollouts rollouts,
    RolloutWaves waves,
    RolloutTargets targets,
    RolloutReverts reverts,
    RolloutQueue queue,
    RolloutCounts counts,
    RolloutHosts hosts,
    RolloutDecisions decisions,
    LabelWindows labelWindows,
    Audit audit,
    Tables others) {
  public static RolloutTables of(Database database) {
    Clock clock = Clock.systemUTC();
    return new RolloutTables(
        database,
        new Rollouts(database, clock),
        new RolloutWaves(database, clock),
        new RolloutTargets(database, clock),
        new RolloutReverts(database),
        new RolloutQueue(database),
        new RolloutCounts(database),
        new RolloutHosts(database),
        new RolloutDecisions(database, clock),
        new LabelWindows(database, clock),
        new Audit(database, clock),
        Tables.of(database));
  }

  /// A device of a rollout's tenant; empty where it is gone, or has no hosts.
  Optional<DeviceRow> device(RolloutId id, String name) {
    return others.devices().find(id.device(name)).filter(found -> !found.hosts().isEmpty());
  }

  /// What was said to a rollout until now.
  ///
  /// @throws java.util.NoSuchElementException if there is no such rollout
  Steering steering(RolloutId id) {
    return RolloutTexts.steering(rollouts.find(id).orElseThrow().steering());
  }
}
