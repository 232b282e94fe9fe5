package dev.uplift.activities.rollout;

import dev.uplift.activities.temporal.UpgradeSignals;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Phase;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.rollout.RolloutWindows;
import dev.uplift.services.window.WindowJson;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.workflows.device.Operator;
import dev.uplift.workflows.device.ProceedSignal;
import dev.uplift.workflows.device.UpgradeWaitReason;
import dev.uplift.workflows.device.WindowPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Devices that prepare ahead of their windows: on which terms they are started, how they are told
/// to go on, and what becomes of them when the rollout is stopped.
final class PreparedDevices {
  private final RolloutRepositories repositories;
  private final UpgradeSignals upgradeSignals;

  PreparedDevices(RolloutRepositories repositories, UpgradeSignals upgradeSignals) {
    this.repositories = repositories;
    this.upgradeSignals = upgradeSignals;
  }

  /// What windows mean to the upgrade of a device; empty where none count.
  ///
  /// @param windows as they are now
  /// @param ahead whether it is to wait until it is told to go on
  static Optional<WindowPolicy> windowPolicy(
      RolloutWindows windows, RolloutPlan plan, DeviceSpec device, boolean ahead) {
    return windows.isRestricted(device)
        ? Optional.of(
            new WindowPolicy(
                ahead,
                plan.window().onClose(),
                plan.window().requiredTime(),
                ahead ? Optional.empty() : windows.openUntil(device, Instant.now()),
                WindowJson.write(plan.windows())))
        : Optional.empty();
  }

  RolloutWindows windows(PassResult passResult) {
    return RolloutWindows.of(
        passResult.row().id().tenant(), repositories.labelWindows(), passResult.spec().plan());
  }

  /// Tells all to go on that the pass wanted to, and finds out about those that may have been told
  /// before the rollout was paused or stopped. Killed in between, they are told again.
  ///
  /// @throws dev.uplift.activities.temporal.TemporalUnavailable if some are left to the next pass
  void proceed(PassResult passResult, Runnable beat) {
    if (!passResult.toProceed().isEmpty()) {
      RolloutWindows windows = windows(passResult);
      List<PendingSignal> told =
          passResult.toProceed().stream().map(target -> pendingSignal(passResult.row(), windows, target)).toList();
      ParallelRunner.run(told, each -> proceed(passResult, each), beat);
    }
    ParallelRunner.run(passResult.uncertainProceeds(), target -> resolveUndecided(passResult, target), beat);
  }

  private record PendingSignal(TargetRow target, ProceedSignal signal) {}

  private PendingSignal pendingSignal(RolloutRow row, RolloutWindows windows, TargetRow target) {
    Optional<Instant> until =
        repositories
            .common()
            .devices()
            .find(row.id().device(target.device()))
            .map(DeviceRow::spec)
            .flatMap(spec -> windows.openUntil(spec, Instant.now()));
    return new PendingSignal(target, new ProceedSignal(until));
  }

  /// One that has ended meanwhile hears nothing any more, and is counted as it ended.
  private void proceed(PassResult passResult, PendingSignal pendingSignal) {
    RolloutRow row = passResult.row();
    if (repositories.control(row.id()).mayStart()) {
      upgradeSignals.proceed(
          row.id().device(pendingSignal.target().device()),
          pendingSignal.target().upgrade().orElseThrow(),
          pendingSignal.signal());
      repositories.targets().markProceeded(row.id(), pendingSignal.target().device());
    }
  }

  /// One that has been told is in work, and goes on to its end. One that has not waits on; where
  /// the rollout is stopped, it ends.
  private void resolveUndecided(PassResult passResult, TargetRow target) {
    DeviceId device = passResult.row().id().device(target.device());
    String upgrade = target.upgrade().orElseThrow();
    boolean untold =
        upgradeSignals
            .upgradeClient()
            .status(device, upgrade)
            .filter(upgradeStatus ->
                upgradeStatus.phase() == Phase.CHECK
                    || upgradeStatus.phase() == Phase.PREPARE
                    || upgradeStatus.waits().stream().anyMatch(pendingWait -> pendingWait.reason() == UpgradeWaitReason.PROCEED))
            .isPresent();
    boolean stopped = passResult.control().abortedBy().isPresent();
    if (untold && stopped) {
      upgradeSignals.upgradeClient().abort(device, upgrade, operatorOf(passResult));
    }
    if (untold && !stopped) {
      repositories.targets().returnToPrepared(passResult.row().id(), target.device());
    } else {
      repositories.targets().markProceeded(passResult.row().id(), target.device());
    }
  }

  /// In whose name upgrades of a rollout that was stopped are aborted.
  static Operator operatorOf(PassResult passResult) {
    return new Operator(passResult.row().id().operatorName(), passResult.control().abortedBy().orElse(""));
  }
}
