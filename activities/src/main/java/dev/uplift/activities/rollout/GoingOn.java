package dev.uplift.activities.rollout;

import dev.uplift.activities.temporal.Proceeding;
import dev.uplift.activities.window.WindowTexts;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Phase;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.DeviceSpec;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.TargetRow;
import dev.uplift.workflows.device.Go;
import dev.uplift.workflows.device.Operator;
import dev.uplift.workflows.device.WaitFor;
import dev.uplift.workflows.device.WindowTerms;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Devices that prepare ahead of their windows: on which terms they are started, how they are told
/// to go on, and what becomes of them when the rollout is stopped.
final class GoingOn {
  private final RolloutTables tables;
  private final Proceeding proceeding;

  GoingOn(RolloutTables tables, Proceeding proceeding) {
    this.tables = tables;
    this.proceeding = proceeding;
  }

  /// What windows mean to the upgrade of a device; empty where none count.
  ///
  /// @param windows as they are now
  /// @param ahead whether it is to wait until it is told to go on
  static Optional<WindowTerms> terms(
      RolloutWindows windows, RolloutPlan plan, DeviceSpec device, boolean ahead) {
    return windows.bound(device)
        ? Optional.of(
            new WindowTerms(
                ahead,
                plan.window().onClose(),
                plan.window().takes(),
                ahead ? Optional.empty() : windows.openUntil(device, Instant.now()),
                WindowTexts.write(plan.windows())))
        : Optional.empty();
  }

  RolloutWindows windows(Passed passed) {
    return RolloutWindows.of(
        passed.row().id().tenant(), tables.labelWindows(), passed.wish().plan());
  }

  /// Tells all to go on that the pass wanted to, and finds out about those that may have been told
  /// before the rollout was paused or stopped. Killed in between, they are told again.
  ///
  /// @throws dev.uplift.activities.temporal.TemporalAway if some are left to the next pass
  void proceed(Passed passed, Runnable beat) {
    if (!passed.toProceed().isEmpty()) {
      RolloutWindows windows = windows(passed);
      List<Told> told =
          passed.toProceed().stream().map(target -> told(passed.row(), windows, target)).toList();
      SideBySide.run(told, each -> proceed(passed, each), beat);
    }
    SideBySide.run(passed.undecided(), target -> settle(passed, target), beat);
  }

  private record Told(TargetRow target, Go go) {}

  private Told told(RolloutRow row, RolloutWindows windows, TargetRow target) {
    Optional<Instant> until =
        tables
            .others()
            .devices()
            .find(row.id().device(target.device()))
            .map(DeviceRow::spec)
            .flatMap(spec -> windows.openUntil(spec, Instant.now()));
    return new Told(target, new Go(until));
  }

  /// One that has ended meanwhile hears nothing any more, and is counted as it ended.
  private void proceed(Passed passed, Told told) {
    RolloutRow row = passed.row();
    if (tables.steering(row.id()).mayStart()) {
      proceeding.proceed(
          row.id().device(told.target().device()),
          told.target().upgrade().orElseThrow(),
          told.go());
      tables.targets().proceeded(row.id(), told.target().device());
    }
  }

  /// One that has been told is in work, and goes on to its end. One that has not waits on; where
  /// the rollout is stopped, it ends.
  private void settle(Passed passed, TargetRow target) {
    DeviceId device = passed.row().id().device(target.device());
    String upgrade = target.upgrade().orElseThrow();
    boolean untold =
        proceeding
            .steering()
            .status(device, upgrade)
            .filter(status ->
                status.phase() == Phase.CHECK
                    || status.phase() == Phase.PREPARE
                    || status.waits().stream().anyMatch(wait -> wait.what() == WaitFor.GO))
            .isPresent();
    boolean stopped = passed.steering().stoppedBy().isPresent();
    if (untold && stopped) {
      proceeding.steering().abort(device, upgrade, by(passed));
    }
    if (untold && !stopped) {
      tables.targets().waitsOn(passed.row().id(), target.device());
    } else {
      tables.targets().proceeded(passed.row().id(), target.device());
    }
  }

  /// In whose name upgrades of a rollout that was stopped are aborted.
  static Operator by(Passed passed) {
    return new Operator(passed.row().id().asOperator(), passed.steering().stoppedBy().orElse(""));
  }
}
