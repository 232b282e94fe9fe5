package dev.uplift.activities.rollout;

import dev.uplift.activities.temporal.UpgradeSignals;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Phase;
import dev.uplift.fleet.UpgradeAction;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.rollout.RolloutWindows;
import dev.uplift.services.window.WindowJson;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.DeviceUpgrade.ProceedSignal;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import dev.uplift.workflows.device.UpgradePlan.WindowPolicy;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Devices that prepare ahead of their windows: the window policy of their upgrades, the signal to
/// proceed, and their abort when the rollout is stopped.
@Singleton
final class PreparedDevices {
  private final RolloutRepositories repositories;
  private final UpgradeSignals upgradeSignals;

  PreparedDevices(RolloutRepositories repositories, UpgradeSignals upgradeSignals) {
    this.repositories = repositories;
    this.upgradeSignals = upgradeSignals;
  }

  /// The window policy of an upgrade; empty if no window restricts the device.
  ///
  /// @param windows as they are now
  /// @param ahead whether it prepares, and then waits for the signal to proceed
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

  /// Signals every device that the pass has marked, and resolves those that may have been signalled
  /// before the rollout was paused or stopped. After a kill in between, the signal is repeated.
  ///
  /// @throws dev.uplift.activities.temporal.TemporalUnavailable if the next pass has to do the rest
  void proceed(PassResult passResult, Runnable heartbeat) {
    if (!passResult.toProceed().isEmpty()) {
      RolloutWindows windows = windows(passResult);
      List<PendingSignal> signals =
          passResult.toProceed().stream()
              .map(target -> pendingSignal(passResult.row(), windows, target))
              .toList();
      ParallelRunner.run(signals, each -> proceed(passResult, each), heartbeat);
    }
    ParallelRunner.run(
        passResult.uncertainProceeds(), target -> resolveUndecided(passResult, target), heartbeat);
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

  /// An upgrade that has ended meanwhile ignores the signal, and its outcome is collected.
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

  /// An upgrade that got the signal runs to its end. One that did not keeps waiting, or is aborted
  /// with the rollout.
  private void resolveUndecided(PassResult passResult, TargetRow target) {
    DeviceId device = passResult.row().id().device(target.device());
    String upgrade = target.upgrade().orElseThrow();
    boolean isWaiting =
        upgradeSignals
            .upgradeClient()
            .status(device, upgrade)
            .filter(upgradeStatus ->
                upgradeStatus.phase() == Phase.CHECK
                    || upgradeStatus.phase() == Phase.PREPARE
                    || upgradeStatus.waits().stream()
                        .anyMatch(pendingWait -> pendingWait.reason() == UpgradeWaitReason.PROCEED))
            .isPresent();
    boolean stopped = passResult.control().abortedBy().isPresent();
    if (isWaiting && stopped) {
      upgradeSignals
          .upgradeClient()
          .update(device, upgrade, new UpgradeAction.Abort(), operatorOf(passResult));
    }
    if (isWaiting && !stopped) {
      repositories.targets().returnToPrepared(passResult.row().id(), target.device());
    } else {
      repositories.targets().markProceeded(passResult.row().id(), target.device());
    }
  }

  /// The operator named when upgrades are aborted with their rollout.
  static Operator operatorOf(PassResult passResult) {
    return new Operator(
        passResult.row().id().operatorName(), passResult.control().abortedBy().orElse(""));
  }
}
