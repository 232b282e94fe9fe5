package dev.uplift.activities.rollout;

import dev.uplift.activities.temporal.Fate;
import dev.uplift.activities.temporal.Fates;
import dev.uplift.activities.temporal.Start;
import dev.uplift.activities.temporal.UpgradeStarter;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.TargetRow;
import dev.uplift.store.UpgradeRow;
import dev.uplift.workflows.device.Pace;
import dev.uplift.workflows.device.UpgradePlan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Starts the upgrades of devices that a pass has marked, and writes down that it did. Killed in
/// between, the next one starts them again: the upgrade's id makes that harmless.
final class Launching {
  /// Then the tables say that it is busy, and it is not tried in vain.
  private static final Duration BUSY = Duration.ofSeconds(5);

  /// The records know of an end a moment before Temporal does.
  private static final Duration CLOSING = Duration.ofSeconds(1);

  /// What DESIGN gives an upgrade of which nobody says otherwise.
  static final Duration LONGEST = Duration.ofHours(24);

  private final RolloutTables tables;
  private final UpgradeStarter starter;
  private final Fates fates;
  private final GoingOn goingOn;
  private final Pace pace;
  private final TakingBack takingBack;

  Launching(RolloutTables tables, UpgradeStarter starter, Fates fates, GoingOn goingOn, Pace pace) {
    this.tables = tables;
    this.starter = starter;
    this.fates = fates;
    this.goingOn = goingOn;
    this.pace = pace;
    this.takingBack = new TakingBack(tables, starter, fates, pace);
  }

  /// Starts all that the pass wanted started, and finds out about those that may have been.
  ///
  /// @throws dev.uplift.activities.temporal.TemporalAway if some are left to the next pass
  void launch(Passed passed, Runnable beat) {
    if (!passed.toStart().isEmpty()) {
      RolloutWindows windows = goingOn.windows(passed);
      SideBySide.run(passed.toStart(), target -> start(passed, windows, target), beat);
    }
    goingOn.proceed(passed, beat);
    SideBySide.run(passed.uncertain(), target -> settle(passed.row(), target), beat);
    takingBack.launch(passed, beat);
  }

  private void start(Passed passed, RolloutWindows windows, TargetRow target) {
    RolloutRow row = passed.row();
    Optional<DeviceRow> device = tables.device(row.id(), target.device());
    if (isKnown(row, target)) {
      tables.targets().started(row.id(), target.device());
    } else if (device.isEmpty()) {
      tables.targets().putBack(row.id(), target.device(), Instant.now());
    } else if (tables.steering(row.id()).mayStart()) {
      switch (starter.start(plan(passed, windows, device.get(), target))) {
        case Start.Started(), Start.Same() -> tables.targets().started(row.id(), target.device());
        case Start.Busy(String other) -> putBack(row, target, other);
      }
    }
  }

  /// Somebody has started it and was killed before it could say so. It may have ended by now.
  private boolean isKnown(RolloutRow row, TargetRow target) {
    return tables.others().upgrades().find(row.id().tenant(), upgrade(target)).isPresent();
  }

  private void putBack(RolloutRow row, TargetRow target, String other) {
    tables.targets().putBack(row.id(), target.device(), again(tables, row, other));
  }

  /// When a device is tried again that another upgrade works on.
  static Instant again(RolloutTables tables, RolloutRow row, String other) {
    boolean closes =
        tables
            .others()
            .upgrades()
            .find(row.id().tenant(), other)
            .flatMap(UpgradeRow::end)
            .isPresent();
    return Instant.now().plus(closes ? CLOSING : BUSY);
  }

  /// While nothing may be started: what was, stays; what was not, is to come again.
  private void settle(RolloutRow row, TargetRow target) {
    if (isKnown(row, target)) {
      tables.targets().started(row.id(), target.device());
      return;
    }
    switch (fates.of(row.id().device(target.device()), upgrade(target))) {
      case Fate.Open(), Fate.Ended _ -> tables.targets().started(row.id(), target.device());
      case Fate.Lost _ -> tables.targets().putBack(row.id(), target.device(), Instant.now());
    }
  }

  private static String upgrade(TargetRow target) {
    return target.upgrade().orElseThrow();
  }

  private UpgradePlan plan(
      Passed passed, RolloutWindows windows, DeviceRow device, TargetRow target) {
    RolloutWish wish = passed.wish();
    Instant begun = target.startedAt().orElseGet(Instant::now);
    // Until its window the rollout's own deadline holds, and no other.
    Instant latest = begun.plus(target.ahead() ? UpgradePlan.LONGEST : LONGEST);
    var plan =
        new UpgradePlan(
            upgrade(target),
            device.id(),
            device.hosts(),
            passed.row().release(),
            wish.reach(),
            wish.allowDowngrade(),
            passed.row().id().asOperator(),
            // What failed here before is tried again only because somebody said so.
            target.attempt() > 1,
            wish.hostSoak(),
            wish.plan().notAfter().filter(latest::isAfter).orElse(latest),
            pace);
    UpgradePlan mine = plan.partOf(passed.row().id().name());
    return GoingOn.terms(windows, wish.plan(), device.spec(), target.ahead())
        .map(mine::within)
        .orElse(mine);
  }

  /// Those in work, also on the way back, whose upgrades are to be aborted.
  List<TargetRow> running(RolloutRow row) {
    return Stream.of(TargetState.STARTED, TargetState.REVERTING)
        .flatMap(state -> tables.queue().in(row.id(), state).stream())
        .toList();
  }
}
