package dev.uplift.activities.rollout;

import dev.uplift.activities.links.Links;
import dev.uplift.activities.temporal.Fates;
import dev.uplift.activities.temporal.Proceeding;
import dev.uplift.activities.temporal.RolloutStarter;
import dev.uplift.activities.temporal.Steering;
import dev.uplift.activities.temporal.UpgradeStarter;
import dev.uplift.workflows.device.Pace;
import dev.uplift.workflows.rollout.RolloutPace;
import java.time.Duration;

/// The parts of this package that a worker needs, put together.
///
/// @param steps for a worker
/// @param records for a worker
/// @param keeper runs now and then
public record RolloutSide(TicksOverTables steps, SteeringInTables records, RolloutKeeper keeper) {
  /// All of them, made from what they need.
  ///
  /// @param pace of each device's upgrade
  /// @param rollouts pace of rollouts whose workflow was lost
  public static RolloutSide of(RolloutTables tables, Links links, Pace pace, RolloutPace rollouts) {
    return of(tables, links, pace, rollouts, TicksOverTables.LOOK);
  }

  /// Whose ticks look again after another time.
  static RolloutSide of(
      RolloutTables tables, Links links, Pace pace, RolloutPace rollouts, Duration look) {
    var ticks =
        new TicksOverTables(
            tables,
            links.presence(),
            new Launching(
                tables,
                new UpgradeStarter(links.temporal()),
                new Fates(links.temporal()),
                new GoingOn(tables, new Proceeding(links.temporal())),
                pace),
            new Steering(links.temporal()),
            look);
    return new RolloutSide(
        ticks,
        new SteeringInTables(tables, ticks::wake),
        new RolloutKeeper(tables, new RolloutStarter(links.temporal(), rollouts)));
  }
}
