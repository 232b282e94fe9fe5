package dev.uplift.activities.rollout;

import dev.uplift.activities.links.Links;
import dev.uplift.activities.temporal.Fates;
import dev.uplift.activities.temporal.RolloutStarter;
import dev.uplift.activities.temporal.Steering;
import dev.uplift.activities.temporal.UpgradeStarter;
import dev.uplift.workflows.device.Pace;
import dev.uplift.workflows.rollout.RolloutPace;

/// The parts of this package that a worker needs, put together.
///
/// @param steps for a worker
/// @param records for a worker
/// @param keeper runs now and then
public record RolloutSide(TicksOverTables steps, SteeringInTables records, RolloutKeeper keeper) {
  /// All of them, made from what they need.
  ///
  /// @param pace of each device's upgrade
  public static RolloutSide of(RolloutTables tables, Links links, Pace pace) {
    return new RolloutSide(
        new TicksOverTables(
            tables,
            links.presence(),
            new Launching(
                tables, new UpgradeStarter(links.temporal()), new Fates(links.temporal()), pace),
            new Steering(links.temporal())),
        new SteeringInTables(tables),
        new RolloutKeeper(tables, new RolloutStarter(links.temporal(), RolloutPace.USUAL)));
  }
}
