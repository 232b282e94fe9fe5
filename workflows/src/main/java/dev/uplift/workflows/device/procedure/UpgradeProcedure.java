package dev.uplift.workflows.device.procedure;

import static dev.uplift.fleet.Progress.ROLLED_BACK;
import static dev.uplift.fleet.Progress.STRANDED;
import static dev.uplift.fleet.Progress.UPGRADED;
import static dev.uplift.fleet.Step.AWAIT_HEARTBEAT;
import static dev.uplift.fleet.Step.COMMIT;
import static dev.uplift.fleet.Step.PREPARE;
import static dev.uplift.fleet.Step.ROLLBACK;
import static dev.uplift.fleet.Step.UPGRADE;

import dev.uplift.fleet.DeviceFacts;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Phase;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.UpgradeCheck;
import dev.uplift.fleet.UpgradeCheck.Declined;
import dev.uplift.fleet.UpgradeCheck.NoAction;
import dev.uplift.fleet.UpgradeCheck.Proceed;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeResult;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import java.time.Instant;
import java.util.function.Consumer;

/// Check; prepare everywhere; wait until the device may be touched; then host by host upgrade,
/// reboot or hand over if required, await heartbeat, soak, commit; on failure or abort take back
/// what was touched, last host first.
final class UpgradeProcedure implements DeviceProcedure {
  private final UpgradePlan plan;
  private final HostTracker hosts;
  private final Deadlines deadlines;
  private final StepRunner steps;
  private final StartGate startGate;
  private final Consumer<Phase> enterPhase;
  private final CancellableScope scope;

  UpgradeProcedure(
      UpgradePlan plan,
      HostTracker hosts,
      Deadlines deadlines,
      StepRunner steps,
      StartGate startGate,
      Consumer<Phase> enterPhase) {
    this.plan = plan;
    this.hosts = hosts;
    this.deadlines = deadlines;
    this.steps = steps;
    this.startGate = startGate;
    this.enterPhase = enterPhase;
    this.scope = new CancellableScope(deadlines, steps);
  }

  /// Returns when the device is upgraded, or left alone, or as far back as it would go.
  @Override
  public UpgradeResult run(DeviceFacts facts) {
    hosts.update(facts);
    switch (UpgradeCheck.of(plan.requestedUpgrade(), facts)) {
      case NoAction() -> deadlines.complete();
      case Declined(Reason why) -> deadlines.requestStop(why);
      case Proceed() -> upgradeOrRollBack();
    }
    Outcome outcome = Outcome.of(hosts.progress(), deadlines.reason().orElse(null));
    return new UpgradeResult(outcome, deadlines.reason(), hosts.report());
  }

  private void upgradeOrRollBack() {
    if (!scope.run(this::upgradeDevice)) {
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
    return Async.procedure(() -> steps.runUnlessSkipped(host, () -> steps.run(PREPARE, host)));
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
    steps.runAndConfirm(UPGRADE, host);
    soak(host);
    if (hosts.isOnTrial(host)) {
      steps.run(COMMIT, host);
    }
    hosts.setProgress(host, UPGRADED);
  }

  /// Well is who is still there afterwards, in the same boot.
  private void soak(HostId host) {
    if (plan.soak().isPositive()) {
      String boot = hosts.bootId(host);
      steps.soak(host, plan.soak());
      steps.run(AWAIT_HEARTBEAT, host);
      if (!hosts.bootId(host).equals(boot)) {
        throw steps.fail(host, Reason.rebootedDuringSoak(host, plan.soak()));
      }
    }
  }

  private void rollBackDevice() {
    scope.cancel();
    enterPhase.accept(Phase.ROLLBACK);
    Instant end = PendingWaits.now().plus(plan.timeouts().stepTimeout(ROLLBACK));
    for (HostId host : plan.hosts().reversed()) {
      if (hosts.needsRollback(host)) {
        rollBackHost(host, end);
      }
    }
    discardStaged();
  }

  private void rollBackHost(HostId host, Instant end) {
    // A host that would not go back has used up the time of all. Nobody else is stranded for it.
    Instant atLeast = PendingWaits.now().plus(plan.timeouts().minRollbackTime());
    deadlines.startRollback(end.isAfter(atLeast) ? end : atLeast);
    hosts.startRollback(host);
    // Ask first: how far an interrupted step came, only the host knows.
    steps.inspect(host);
    // Between two agents is no place to stay: no other work is begun there.
    if (plan.rollbackScope().covers(hosts.progress(host)) || hosts.isHandoverInProgress(host)) {
      try {
        steps.runAndConfirm(ROLLBACK, host);
        hosts.setProgress(host, ROLLED_BACK);
      } catch (UpgradeStopped | HostSkipped | TemporalFailure _) {
        // The others still go back. Why not stands in the host's report.
        hosts.setProgress(host, STRANDED);
      }
    }
  }

  /// What a silent host keeps staged harms nobody; its next prepare replaces it.
  private void discardStaged() {
    deadlines.startRollback(PendingWaits.now().plus(plan.timeouts().cancelGrace()));
    plan.hosts().stream()
        .filter(hosts::isPreparedOnly)
        .map(host -> Async.procedure(steps::tryOnce, ROLLBACK, host))
        .toList()
        .forEach(Promise::get);
  }

  @Override
  public void stop(Reason why) {
    scope.stop(why);
  }
}
