package dev.uplift.activities.rollout;

import dev.uplift.activities.temporal.ParallelRunner;
import dev.uplift.activities.temporal.StepTimeoutResolver;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.activities.temporal.UpgradeWorkflowClient.StartResult;
import dev.uplift.activities.temporal.UpgradeWorkflowClient.WorkflowStatus;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Phase;
import dev.uplift.fleet.UpgradeAction;
import dev.uplift.fleet.UpgradeState;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.services.rollout.RolloutWindows;
import dev.uplift.services.upgrade.ConcurrentStarts;
import dev.uplift.services.upgrade.ParticipatingHosts;
import dev.uplift.services.upgrade.RevertPlanner;
import dev.uplift.services.upgrade.RevertPlanner.Revertibility.Revertible;
import dev.uplift.services.window.WindowJson;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.DeviceUpgrade.ProceedSignal;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradePlan.UpgradeToRevert;
import dev.uplift.workflows.device.UpgradePlan.WindowPolicy;
import dev.uplift.workflows.device.UpgradeStatus;
import dev.uplift.workflows.device.UpgradeTimeouts;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Does in Temporal what a pass has marked in the rows: starts upgrades and reverts, signals prepared devices to
/// proceed, aborts what an abort of the rollout ends. After a kill in between, the next pass has it done again: ids
/// make that harmless. For one activity execution.
final class UpgradeLauncher {
  /// By then the tables show the device as busy, and it is not selected.
  private static final Duration BUSY_RETRY = Duration.ofSeconds(5);

  /// The tables have the end of an upgrade a moment before Temporal does.
  private static final Duration CLOSING_RETRY = Duration.ofSeconds(1);

  /// How long an upgrade may take if its plan does not say otherwise.
  private static final Duration MAX_DURATION = Duration.ofHours(24);

  private static final int MAX_ABORTS_PER_PASS = 50;

  private final RolloutRepositories repositories;
  private final UpgradeWorkflowClient workflows;
  private final ConcurrentStarts concurrentStarts;
  private final StepTimeoutResolver timeouts;
  private final RevertPlanner revertPlanner;

  /// Ids of upgrades that this execution has aborted.
  private final Set<String> aborted = new HashSet<>();

  UpgradeLauncher(
      RolloutRepositories repositories,
      UpgradeWorkflowClient workflows,
      ConcurrentStarts concurrentStarts,
      StepTimeoutResolver timeouts) {
    this.repositories = repositories;
    this.workflows = workflows;
    this.concurrentStarts = concurrentStarts;
    this.timeouts = timeouts;
    this.revertPlanner = new RevertPlanner(repositories.common().devices(), repositories.common().upgrades());
  }

  /// Starts, signals and aborts what the pass says. Afterwards each of those devices is started, or is back in the
  /// queue because the rollout was paused or stopped meanwhile. The same holds for what a killed server may have
  /// started or signalled.
  ///
  /// @throws dev.uplift.activities.temporal.TemporalUnavailable if the next pass has to do the rest
  void launch(PassResult pass, Runnable heartbeat) {
    RolloutRow row = pass.row();
    if (pass.toStart().size() + pass.toProceed().size() > 0) {
      RolloutWindows windows = RolloutWindows.of(row.id().tenant(), repositories.labelWindows(), pass.spec().plan());
      UpgradeTimeouts stepTimeouts = timeouts.resolve(row.id().tenant(), row.release(), pass.spec().stepTimeouts());
      ParallelRunner.run(
          pass.toStart(), target -> concurrentStarts.run(() -> start(pass, windows, stepTimeouts, target)), heartbeat);
      ParallelRunner.run(pass.toProceed(), target -> proceed(pass, windows, target), heartbeat);
    }
    ParallelRunner.run(pass.uncertainProceeds(), target -> resolveProceed(row, pass.control(), target), heartbeat);
    ParallelRunner.run(pass.uncertainStarts(), target -> resolveStart(row, target), heartbeat);
    ParallelRunner.run(
        pass.rollback().toStart(), target -> concurrentStarts.run(() -> revert(pass, target)), heartbeat);
    ParallelRunner.run(pass.rollback().uncertain(), target -> resolveRevert(row, target), heartbeat);
    abortRunning(pass, heartbeat);
  }

  private void start(PassResult pass, RolloutWindows windows, UpgradeTimeouts stepTimeouts, TargetRow target) {
    RolloutRow row = pass.row();
    Optional<DeviceRow> device = repositories.findDevice(row.id(), target.device());
    if (isRecorded(row, target)) {
      repositories.targets().markStarted(row.id(), target.device());
    } else if (device.isEmpty()) {
      repositories.targets().returnToPending(row.id(), target.device(), Instant.now());
    } else if (repositories.control(row.id()).mayStart()) {
      switch (workflows.start(plan(pass, windows, stepTimeouts, device.get(), target), requestId(target))) {
        case StartResult.Started _, StartResult.AlreadyRunning _ ->
            repositories.targets().markStarted(row.id(), target.device());
        case StartResult.DeviceBusy(String other) ->
            repositories.targets().returnToPending(row.id(), target.device(), retryAt(row, other));
      }
    } else {
      resolveStart(row, target);
    }
  }

  /// A server started it and was killed before it recorded that. It may have ended by now.
  private boolean isRecorded(RolloutRow row, TargetRow target) {
    return repositories.common().upgrades().find(row.id().tenant(), upgradeId(target)).isPresent();
  }

  /// When to try a device again that another upgrade works on.
  private Instant retryAt(RolloutRow row, String other) {
    boolean closes =
        repositories.common().upgrades().find(row.id().tenant(), other).flatMap(UpgradeRow::end).isPresent();
    return Instant.now().plus(closes ? CLOSING_RETRY : BUSY_RETRY);
  }

  /// While nothing may be started: an upgrade that runs is recorded as started, any other device returns to the queue.
  private void resolveStart(RolloutRow row, TargetRow target) {
    if (isRecorded(row, target) || !isLost(row, target, upgradeId(target))) {
      repositories.targets().markStarted(row.id(), target.device());
    } else {
      repositories.targets().returnToPending(row.id(), target.device(), Instant.now());
    }
  }

  private boolean isLost(RolloutRow row, TargetRow target, String upgrade) {
    return workflows.workflowStatus(row.id().device(target.device()), upgrade) instanceof WorkflowStatus.Lost;
  }

  private static String upgradeId(TargetRow target) {
    return target.upgrade().orElseThrow();
  }

  /// The same on each server that finds the device marked, whenever it does.
  private static String requestId(TargetRow target) {
    return upgradeId(target) + "@" + target.startedAt().orElseThrow();
  }

  private UpgradePlan plan(
      PassResult pass, RolloutWindows windows, UpgradeTimeouts stepTimeouts, DeviceRow device, TargetRow target) {
    RolloutSpec spec = pass.spec();
    Instant begun = target.startedAt().orElseThrow();
    // Until its window opens only the deadline of the rollout holds.
    Instant latest = begun.plus(target.prepareAhead() ? UpgradeState.MAX_DURATION : MAX_DURATION);
    var plan =
        new UpgradePlan(
            upgradeId(target),
            device.id(),
            ParticipatingHosts.load(repositories.common().hosts(), device, pass.row().release().packageName()),
            pass.row().release(),
            new UpgradePlan.Options(
                spec.rollbackScope(),
                spec.allowDowngrade(),
                spec.hostSoak(),
                spec.plan().notAfter().filter(latest::isAfter).orElse(latest),
                stepTimeouts),
            // A further attempt is made only by a retry policy or an operator.
            UpgradePlan.Origin.rollout(pass.row().id().name(), pass.row().id().operatorName(), target.attempt() > 1));
    return windowPolicy(windows, spec.plan(), device.spec(), target.prepareAhead()).map(plan::withWindow).orElse(plan);
  }

  /// The window policy of an upgrade; empty if no window restricts the device.
  ///
  /// @param ahead whether it prepares, and then waits for the signal to proceed
  private static Optional<WindowPolicy> windowPolicy(
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

  /// Signals a device that has prepared ahead. An upgrade that has ended meanwhile ignores the signal, and its outcome
  /// is collected.
  private void proceed(PassResult pass, RolloutWindows windows, TargetRow target) {
    RolloutRow row = pass.row();
    DeviceId device = row.id().device(target.device());
    Optional<Instant> openUntil =
        repositories
            .common()
            .devices()
            .find(device)
            .map(DeviceRow::spec)
            .flatMap(spec -> windows.openUntil(spec, Instant.now()));
    RolloutControl control = repositories.control(row.id());
    if (control.mayStart()) {
      workflows.proceed(device, upgradeId(target), new ProceedSignal(openUntil));
      repositories.targets().markProceeded(row.id(), target.device());
    } else {
      resolveProceed(row, control, target);
    }
  }

  /// An upgrade that got the signal runs to its end. One that did not keeps waiting, or is aborted with the rollout.
  private void resolveProceed(RolloutRow row, RolloutControl control, TargetRow target) {
    DeviceId device = row.id().device(target.device());
    boolean isWaiting =
        workflows.status(device, upgradeId(target)).filter(UpgradeLauncher::isBeforeProceed).isPresent();
    boolean stopped = control.abortedBy().isPresent();
    if (isWaiting && stopped) {
      abort(row, control, target, upgradeId(target));
    }
    if (isWaiting && !stopped) {
      repositories.targets().returnToPrepared(row.id(), target.device());
    } else {
      repositories.targets().markProceeded(row.id(), target.device());
    }
  }

  private static boolean isBeforeProceed(UpgradeStatus status) {
    return status.phase() == Phase.CHECK
        || status.phase() == Phase.PREPARE
        || status.waits().stream().anyMatch(wait -> wait.reason() == UpgradeWaitReason.PROCEED);
  }

  private void revert(PassResult pass, TargetRow target) {
    RolloutRow row = pass.row();
    Optional<Revertible> finished =
        repositories
            .common()
            .upgrades()
            .find(row.id().tenant(), upgradeId(target))
            .map(revertPlanner::plan)
            .filter(Revertible.class::isInstance)
            .map(Revertible.class::cast);
    if (finished.isEmpty()) {
      // The device was deleted, or has other hosts.
      TargetResult stays = target.result().orElse(TargetResult.UPGRADED);
      repositories.reverts().markReverted(row.id(), target.device(), Outcome.DECLINED, stays);
    } else if (!repositories.control(row.id()).mayRevert()) {
      resolveRevert(row, target);
    } else if (workflows.start(revertPlan(pass, target, finished.get()))
        instanceof StartResult.DeviceBusy(String other)) {
      repositories.reverts().returnToRevertQueue(row.id(), target.device(), retryAt(row, other));
    }
  }

  private UpgradePlan revertPlan(PassResult pass, TargetRow target, Revertible finished) {
    RolloutRow row = pass.row();
    UpgradeTimeouts stepTimeouts = timeouts.resolve(row.id().tenant(), row.release(), pass.spec().stepTimeouts());
    var plan =
        new UpgradePlan(
            target.revertUpgrade().orElseThrow(),
            row.id().device(target.device()),
            finished.hosts(),
            row.release(),
            UpgradePlan.Options.ofRevert(
                Instant.now().plus(MAX_DURATION).truncatedTo(ChronoUnit.SECONDS), stepTimeouts),
            UpgradePlan.Origin.rollout(row.id().name(), row.id().operatorName(), false));
    return plan.reverting(UpgradeToRevert.of(finished.upgrade(), finished.versionsBefore()));
  }

  private void resolveRevert(RolloutRow row, TargetRow target) {
    if (isLost(row, target, target.revertUpgrade().orElseThrow())) {
      repositories.reverts().returnToRevertQueue(row.id(), target.device(), Instant.now());
    }
  }

  /// Aborts the upgrades and reverts that an abort of the rollout ends, some in each pass.
  private void abortRunning(PassResult pass, Runnable heartbeat) {
    if (pass.isFinished() || pass.control().abortedBy().isEmpty()) {
      return;
    }
    List<TargetRow> some =
        Stream.of(TargetState.STARTED, TargetState.REVERTING)
            .flatMap(state -> repositories.queue().listInState(pass.row().id(), state).stream())
            // A device that only prepares has not begun to change.
            .filter(target -> pass.control().abortRunning() || target.prepareAhead())
            .filter(target -> !aborted.contains(currentUpgrade(target)))
            .limit(MAX_ABORTS_PER_PASS)
            .toList();
    ParallelRunner.run(some, target -> abort(pass.row(), pass.control(), target, currentUpgrade(target)), heartbeat);
    some.forEach(target -> aborted.add(currentUpgrade(target)));
  }

  private void abort(RolloutRow row, RolloutControl control, TargetRow target, String upgrade) {
    var by = new Operator(row.id().operatorName(), control.abortedBy().orElse(""));
    workflows.update(row.id().device(target.device()), upgrade, new UpgradeAction.Abort(), by);
  }

  /// The id of the upgrade of the device that runs.
  private static String currentUpgrade(TargetRow target) {
    boolean reverts = target.state() == TargetState.REVERTING;
    return (reverts ? target.revertUpgrade() : target.upgrade()).orElse("");
  }
}
