package dev.uplift.workflows.device.procedure;

import static dev.uplift.fleet.Progress.ROLLED_BACK;
import static dev.uplift.fleet.Progress.STRANDED;
import static dev.uplift.fleet.Progress.UPGRADED;
import static dev.uplift.fleet.Step.ROLLBACK;

import dev.uplift.fleet.DeviceFacts;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Phase;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.UpgradeCheck;
import dev.uplift.fleet.UpgradeCheck.Declined;
import dev.uplift.fleet.UpgradeCheck.NoAction;
import dev.uplift.fleet.UpgradeCheck.Proceed;
import dev.uplift.workflows.device.StepResult;
import dev.uplift.workflows.device.StepResult.NotSent;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeResult;
import dev.uplift.workflows.device.UpgradeTimeouts;
import dev.uplift.workflows.device.procedure.Deadlines.UpgradeStopped;
import dev.uplift.workflows.device.procedure.HostTracker.HostSkipped;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/// Check; prepare all hosts; wait until the device may be changed; then host by host upgrade, reboot or hand over if
/// required, await heartbeat, soak, commit. On failure or abort roll back what was changed, last host first.
final class UpgradeProcedure extends DeviceProcedure {
  private final StartGate startGate;
  private final UpgradeTimeouts timeouts;

  UpgradeProcedure(
      UpgradePlan plan,
      HostTracker hosts,
      Deadlines deadlines,
      StepRunner steps,
      StartGate startGate,
      Consumer<Phase> enterPhase) {
    super(plan, hosts, deadlines, steps, enterPhase);
    this.startGate = startGate;
    this.timeouts = plan.options().timeouts();
  }

  /// Returns when the device is upgraded, or left alone, or rolled back as far as possible.
  @Override
  UpgradeResult run(DeviceFacts facts) {
    hosts.update(facts);
    switch (UpgradeCheck.of(plan.requestedUpgrade(), facts)) {
      case NoAction() -> deadlines.complete();
      case Declined(Reason reason) -> deadlines.requestStop(reason);
      case Proceed() -> upgradeOrRollBack();
    }
    Outcome outcome = Outcome.of(hosts.progress(), deadlines.reason().orElse(null));
    return new UpgradeResult(outcome, deadlines.reason(), hosts.report());
  }

  private void upgradeOrRollBack() {
    if (!runForward(this::upgradeDevice)) {
      rollBackDevice();
    }
  }

  private void upgradeDevice() {
    prepareAllHosts();
    awaitStartGate();
    upgradeHostByHost();
    deadlines.complete();
  }

  private void prepareAllHosts() {
    enterPhase.accept(Phase.PREPARE);
    Promise.allOf(plan.hosts().stream().map(this::prepareHost).toList()).get();
  }

  private Promise<Void> prepareHost(HostId host) {
    return Async.procedure(() -> steps.runUnlessSkipped(host, () -> steps.prepare(host)));
  }

  private void awaitStartGate() {
    plan.hosts().stream()
        .filter(host -> !hosts.isSkipped(host))
        .findFirst()
        .ifPresent(first -> startGate.awaitFirstHost(first, () -> enterPhase.accept(Phase.WAIT)));
    startGate.watchWindow(this::stop);
  }

  private void upgradeHostByHost() {
    enterPhase.accept(Phase.UPGRADE);
    for (HostId host : plan.hosts()) {
      steps.runUnlessSkipped(host, () -> upgradeHost(host));
    }
  }

  private void upgradeHost(HostId host) {
    startGate.awaitNextHost(host);
    StepResult installed = steps.rebootOrHandOverIfRequired(host, upgradeOnceHeard(host));
    steps.awaitHeartbeatUnlessHeard(host, installed);
    soak(host, plan.options().soak());
    if (hosts.isOnTrial(host)) {
      steps.commit(host);
    }
    hosts.setProgress(host, UPGRADED);
  }

  /// A host that is off when its turn comes is left alone until it is heard and its window is open, if need be the next
  /// one.
  private StepResult upgradeOnceHeard(HostId host) {
    StepResult result = steps.upgrade(host);
    while (result instanceof NotSent) {
      enterPhase.accept(hosts.isAnyChanged() ? Phase.UPGRADE : Phase.WAIT);
      steps.awaitHost(host);
      startGate.awaitHost(host);
      enterPhase.accept(Phase.UPGRADE);
      result = steps.upgrade(host);
    }
    return result;
  }

  /// The host is healthy if it is still running in the same boot afterwards.
  private void soak(HostId host, Duration time) {
    if (time.isPositive()) {
      String boot = hosts.bootId(host);
      steps.soak(host, time);
      steps.awaitHeartbeat(host);
      if (!hosts.bootId(host).equals(boot)) {
        throw steps.fail(host, Reason.rebootedDuringSoak(host, time));
      }
    }
  }

  private void rollBackDevice() {
    cancelForward();
    enterPhase.accept(Phase.ROLLBACK);
    Instant end = Deadlines.now().plus(timeouts.stepTimeout(ROLLBACK));
    for (HostId host : plan.hosts().reversed()) {
      if (hosts.needsRollback(host)) {
        rollBackHost(host, end);
      }
    }
    discardStaged();
  }

  private void rollBackHost(HostId host, Instant end) {
    // One host that fails to roll back may use up the shared time; each still gets a minimum.
    Instant atLeast = Deadlines.now().plus(timeouts.minRollbackTime());
    deadlines.startRollback(end.isAfter(atLeast) ? end : atLeast);
    hosts.startRollback(host);
    // Only the host knows how far an interrupted step came.
    steps.inspect(host);
    if (isToBeRolledBack(host)) {
      try {
        StepResult restored = steps.rebootOrHandOverIfRequired(host, steps.rollBack(host));
        steps.awaitHeartbeatUnlessHeard(host, restored);
        hosts.setProgress(host, ROLLED_BACK);
      } catch (UpgradeStopped | HostSkipped | TemporalFailure _) {
        // The others still roll back. The host's report has the reason.
        hosts.setProgress(host, STRANDED);
      }
    }
  }

  /// A handover in progress is always rolled back, because nothing else can be started during one.
  private boolean isToBeRolledBack(HostId host) {
    return plan.options().rollbackScope().covers(hosts.progress(host)) || hosts.isHandoverInProgress(host);
  }

  /// A release that stays staged on a silent host does no harm; the next prepare replaces it.
  private void discardStaged() {
    deadlines.startRollback(Deadlines.now().plus(timeouts.cancelGrace()));
    plan.hosts().stream()
        .filter(hosts::canDiscardStaged)
        .map(host -> Async.procedure(steps::tryOnce, ROLLBACK, host))
        .toList()
        .forEach(Promise::get);
  }
}
