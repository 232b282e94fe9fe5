package dev.uplift.workflows.device.procedure;

import static dev.uplift.fleet.Progress.CHANGED;
import static dev.uplift.fleet.Progress.ROLLED_BACK;
import static dev.uplift.fleet.Progress.STRANDED;
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
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeResult;
import dev.uplift.workflows.device.UpgradeToRevert;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import java.util.function.Consumer;

/// Takes an upgrade back that is done. Check; ask every host what it runs and check again; then
/// host by host, the last one first, rollback, reboot or hand over if required, await a heartbeat
/// with the version from before. It ends at the first host that will not go back: the next one may
/// be all that its site still has.
final class RevertProcedure implements DeviceProcedure {
  private final UpgradePlan plan;
  private final UpgradeToRevert upgradeToRevert;
  private final HostTracker hosts;
  private final Deadlines deadlines;
  private final StepRunner steps;
  private final Consumer<Phase> enterPhase;
  private final CancellableScope scope;

  RevertProcedure(
      UpgradePlan plan,
      UpgradeToRevert upgradeToRevert,
      HostTracker hosts,
      Deadlines deadlines,
      StepRunner steps,
      Consumer<Phase> enterPhase) {
    this.plan = plan;
    this.upgradeToRevert = upgradeToRevert;
    this.hosts = hosts;
    this.deadlines = deadlines;
    this.steps = steps;
    this.enterPhase = enterPhase;
    this.scope = new CancellableScope(deadlines, steps);
  }

  @Override
  public UpgradeResult run(DeviceFacts facts) {
    hosts.update(facts);
    hosts.update(upgradeToRevert);
    if (checkRevert(facts)) {
      revertOrComplete(facts);
    }
    Outcome outcome = Outcome.ofRevert(hosts.progress(), deadlines.reason().orElse(null));
    return new UpgradeResult(outcome, deadlines.reason(), hosts.report());
  }

  private boolean checkRevert(DeviceFacts facts) {
    return switch (UpgradeCheck.ofRevert(plan.release(), upgradeToRevert.versionByHost(), facts)) {
      case NoAction() -> {
        deadlines.complete();
        yield false;
      }
      case Declined(Reason why) -> {
        deadlines.requestStop(why);
        yield false;
      }
      case Proceed() -> true;
    };
  }

  private void revertOrComplete(DeviceFacts facts) {
    enterPhase.accept(Phase.REVERT);
    if (!scope.run(() -> revertDevice(facts))) {
      scope.cancel();
      plan.hosts().forEach(this::completeHost);
    }
  }

  private void revertDevice(DeviceFacts known) {
    awaitAllHosts();
    if (checkRevert(known.withVersions(hosts.versions()))) {
      revertHostByHost();
    }
  }

  /// Nothing is touched before all of them are there.
  private void awaitAllHosts() {
    Promise.allOf(plan.hosts().stream().map(host -> Async.procedure(steps::awaitVersion, host)).toList())
        .get();
  }

  private void revertHostByHost() {
    for (HostId host : plan.hosts().reversed()) {
      steps.runUnlessSkipped(host, () -> revertHost(host));
    }
    deadlines.complete();
  }

  private void revertHost(HostId host) {
    steps.runAndConfirm(ROLLBACK, host);
    hosts.setProgress(host, ROLLED_BACK);
  }

  /// Half way is no place to stay, also for who was stopped there.
  private void completeHost(HostId host) {
    if (hosts.progress(host) != CHANGED || hosts.isSkipped(host)) {
      return;
    }
    if (hosts.hasFailed(host)) {
      hosts.setProgress(host, STRANDED);
      return;
    }
    enterPhase.accept(Phase.ROLLBACK);
    deadlines.startRollback(PendingWaits.now().plus(plan.timeouts().stepTimeout(ROLLBACK)));
    hosts.startRollback(host);
    try {
      revertHost(host);
    } catch (UpgradeStopped | HostSkipped | TemporalFailure _) {
      // Why not stands in the host's report.
      hosts.setProgress(host, STRANDED);
    }
  }

  @Override
  public void stop(Reason why) {
    scope.stop(why);
  }
}
