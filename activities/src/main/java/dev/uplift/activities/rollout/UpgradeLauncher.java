package dev.uplift.activities.rollout;

import dev.uplift.activities.temporal.StartResult;
import dev.uplift.activities.temporal.UpgradeStarter;
import dev.uplift.activities.temporal.WorkflowStatus;
import dev.uplift.activities.temporal.WorkflowStatusReader;
import dev.uplift.fleet.UpgradeState;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.services.rollout.RolloutWindows;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeTimeouts;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Starts the upgrades of devices that a pass has marked, and records that it did. After a kill in
/// between, the next pass starts them again: the upgrade's id makes that harmless.
@Singleton
final class UpgradeLauncher {
  /// By then the tables show the device as busy, and it is not selected.
  private static final Duration BUSY_RETRY = Duration.ofSeconds(5);

  /// The tables have the end of an upgrade a moment before Temporal does.
  private static final Duration CLOSING_RETRY = Duration.ofSeconds(1);

  /// How long an upgrade may take if its plan does not say otherwise.
  static final Duration MAX_DURATION = Duration.ofHours(24);

  private final RolloutRepositories repositories;
  private final UpgradeStarter starter;
  private final WorkflowStatusReader workflowStatuses;
  private final PreparedDevices preparedDevices;
  private final UpgradeTimeouts timeouts;
  private final RevertLauncher revertLauncher;

  UpgradeLauncher(
      RolloutRepositories repositories,
      UpgradeStarter starter,
      WorkflowStatusReader workflowStatuses,
      PreparedDevices preparedDevices,
      UpgradeTimeouts timeouts) {
    this.repositories = repositories;
    this.starter = starter;
    this.workflowStatuses = workflowStatuses;
    this.preparedDevices = preparedDevices;
    this.timeouts = timeouts;
    this.revertLauncher = new RevertLauncher(repositories, starter, workflowStatuses, timeouts);
  }

  /// Starts every device that the pass has marked, and resolves those that may have been started.
  ///
  /// @throws dev.uplift.activities.temporal.TemporalUnavailable if the next pass has to do the rest
  void launch(PassResult passResult, Runnable heartbeat) {
    if (!passResult.toStart().isEmpty()) {
      RolloutWindows windows = preparedDevices.windows(passResult);
      ParallelRunner.run(
          passResult.toStart(), target -> start(passResult, windows, target), heartbeat);
    }
    preparedDevices.proceed(passResult, heartbeat);
    ParallelRunner.run(
        passResult.uncertainStarts(),
        target -> resolveUncertain(passResult.row(), target),
        heartbeat);
    revertLauncher.launch(passResult, heartbeat);
  }

  private void start(PassResult passResult, RolloutWindows windows, TargetRow target) {
    RolloutRow row = passResult.row();
    Optional<DeviceRow> device = repositories.findDevice(row.id(), target.device());
    if (isRecorded(row, target)) {
      repositories.targets().markStarted(row.id(), target.device());
    } else if (device.isEmpty()) {
      repositories.targets().returnToPending(row.id(), target.device(), Instant.now());
    } else if (repositories.control(row.id()).mayStart()) {
      switch (starter.start(plan(passResult, windows, device.get(), target))) {
        case StartResult.Started _, StartResult.AlreadyRunning _ ->
            repositories.targets().markStarted(row.id(), target.device());
        case StartResult.DeviceBusy(String other) -> requeue(row, target, other);
      }
    }
  }

  /// A server started it and was killed before it recorded that. It may have ended by now.
  private boolean isRecorded(RolloutRow row, TargetRow target) {
    return repositories.common().upgrades().find(row.id().tenant(), upgradeId(target)).isPresent();
  }

  private void requeue(RolloutRow row, TargetRow target, String other) {
    repositories
        .targets()
        .returnToPending(row.id(), target.device(), retryAt(repositories, row, other));
  }

  /// When to try a device again that another upgrade works on.
  static Instant retryAt(RolloutRepositories repositories, RolloutRow row, String other) {
    boolean closes =
        repositories
            .common()
            .upgrades()
            .find(row.id().tenant(), other)
            .flatMap(UpgradeRow::end)
            .isPresent();
    return Instant.now().plus(closes ? CLOSING_RETRY : BUSY_RETRY);
  }

  /// While nothing may be started: an upgrade that runs is recorded as started, any other device
  /// returns to the queue.
  private void resolveUncertain(RolloutRow row, TargetRow target) {
    if (isRecorded(row, target)) {
      repositories.targets().markStarted(row.id(), target.device());
      return;
    }
    switch (workflowStatuses.read(row.id().device(target.device()), upgradeId(target))) {
      case WorkflowStatus.Running(), WorkflowStatus.Completed _ ->
          repositories.targets().markStarted(row.id(), target.device());
      case WorkflowStatus.Lost _ ->
          repositories.targets().returnToPending(row.id(), target.device(), Instant.now());
    }
  }

  private static String upgradeId(TargetRow target) {
    return target.upgrade().orElseThrow();
  }

  private UpgradePlan plan(
      PassResult passResult, RolloutWindows windows, DeviceRow device, TargetRow target) {
    RolloutSpec spec = passResult.spec();
    Instant begun = target.startedAt().orElseGet(Instant::now);
    // Until its window opens only the deadline of the rollout holds.
    Instant latest = begun.plus(target.prepareAhead() ? UpgradeState.MAX_DURATION : MAX_DURATION);
    var plan =
        new UpgradePlan(
            upgradeId(target),
            device.id(),
            device.hosts(),
            passResult.row().release(),
            new UpgradePlan.Options(
                spec.rollbackScope(),
                spec.allowDowngrade(),
                spec.hostSoak(),
                spec.plan().notAfter().filter(latest::isAfter).orElse(latest),
                timeouts),
            // A further attempt is made only by a retry policy or an operator.
            UpgradePlan.Origin.rollout(
                passResult.row().id().name(),
                passResult.row().id().operatorName(),
                target.attempt() > 1));
    return PreparedDevices.windowPolicy(windows, spec.plan(), device.spec(), target.prepareAhead())
        .map(plan::withWindow)
        .orElse(plan);
  }

  /// Devices with an upgrade, or a revert, that an abort may end.
  List<TargetRow> running(RolloutRow row) {
    return Stream.of(TargetState.STARTED, TargetState.REVERTING)
        .flatMap(state -> repositories.queue().listInState(row.id(), state).stream())
        .toList();
  }
}
