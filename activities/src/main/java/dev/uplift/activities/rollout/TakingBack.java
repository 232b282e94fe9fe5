package dev.uplift.activities.rollout;

import dev.uplift.activities.device.Reverts;
import dev.uplift.activities.device.Reverts.Found;
import dev.uplift.activities.temporal.Fate;
import dev.uplift.activities.temporal.Fates;
import dev.uplift.activities.temporal.Start;
import dev.uplift.activities.temporal.UpgradeStarter;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Reach;
import dev.uplift.fleet.rollout.Verdict;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.TargetRow;
import dev.uplift.workflows.device.Pace;
import dev.uplift.workflows.device.UpgradePlan;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Starts what takes back the devices that a pass has marked. Killed in between, the next one
/// starts it again: its id makes that harmless.
final class TakingBack {
  private final RolloutTables tables;
  private final UpgradeStarter starter;
  private final Fates fates;
  private final Pace pace;
  private final Reverts reverts;

  TakingBack(RolloutTables tables, UpgradeStarter starter, Fates fates, Pace pace) {
    this.tables = tables;
    this.starter = starter;
    this.fates = fates;
    this.pace = pace;
    this.reverts = new Reverts(tables.others().devices(), tables.others().upgrades());
  }

  /// As [Launching#launch].
  void launch(Passed passed, Runnable beat) {
    SideBySide.run(passed.back().toStart(), target -> start(passed.row(), target), beat);
    SideBySide.run(passed.back().uncertain(), target -> settle(passed.row(), target), beat);
  }

  private void start(RolloutRow row, TargetRow target) {
    Optional<Found.Something> there =
        tables
            .others()
            .upgrades()
            .find(row.id().tenant(), target.upgrade().orElseThrow())
            .map(reverts::of)
            .filter(Found.Something.class::isInstance)
            .map(Found.Something.class::cast);
    if (there.isEmpty()) {
      // Its device is gone, or its hosts are.
      Verdict stays = target.verdict().orElse(Verdict.UPGRADED);
      tables.reverts().end(row.id(), target.device(), Outcome.DECLINED, stays);
    } else if (tables.steering(row.id()).mayTakeBack()
        && starter.start(plan(row, target, there.get())) instanceof Start.Busy(String other)) {
      tables.reverts().putBack(row.id(), target.device(), Launching.again(tables, row, other));
    }
  }

  private void settle(RolloutRow row, TargetRow target) {
    if (fates.of(row.id().device(target.device()), revert(target)) instanceof Fate.Lost) {
      tables.reverts().putBack(row.id(), target.device(), Instant.now());
    }
  }

  private UpgradePlan plan(RolloutRow row, TargetRow target, Found.Something done) {
    var plan =
        new UpgradePlan(
            revert(target),
            row.id().device(target.device()),
            done.hosts(),
            row.release(),
            Reach.DEVICE,
            false,
            row.id().asOperator(),
            false,
            Duration.ZERO,
            Instant.now().plus(Launching.LONGEST).truncatedTo(ChronoUnit.SECONDS),
            pace);
    return plan.partOf(row.id().name()).takingBack(done.revert());
  }

  private static String revert(TargetRow target) {
    return target.revertUpgrade().orElseThrow();
  }
}
