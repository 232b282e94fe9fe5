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
import dev.uplift.workflows.device.StepResult;
import dev.uplift.workflows.device.StepResult.NotSent;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradePlan.UpgradeToRevert;
import dev.uplift.workflows.device.UpgradeResult;
import dev.uplift.workflows.device.procedure.Deadlines.UpgradeStopped;
import dev.uplift.workflows.device.procedure.HostTracker.HostSkipped;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import java.util.function.Consumer;

/// Reverts a finished upgrade. Check; ask every host what it runs and check again; then host by host, last host first,
/// roll back, reboot or hand over if required, await a heartbeat with the version from before. Ends at the first host
/// that fails, because the others may be all that the site still has.
final class RevertProcedure extends DeviceProcedure {
  private final UpgradeToRevert upgradeToRevert;

  RevertProcedure(
      UpgradePlan plan,
      UpgradeToRevert upgradeToRevert,
      HostTracker hosts,
      Deadlines deadlines,
      StepRunner steps,
      Consumer<Phase> enterPhase) {
    super(plan, hosts, deadlines, steps, enterPhase);
    this.upgradeToRevert = upgradeToRevert;
  }

  @Override
  UpgradeResult run(DeviceFacts facts) {
    hosts.update(facts);
    hosts.update(upgradeToRevert);
    if (mayRevert(facts)) {
      revertOrComplete(facts);
    }
    Outcome outcome = Outcome.ofRevert(hosts.progress(), deadlines.reason().orElse(null));
    return new UpgradeResult(outcome, deadlines.reason(), hosts.report());
  }

  private boolean mayRevert(DeviceFacts facts) {
    return switch (UpgradeCheck.ofRevert(
        plan.release(), upgradeToRevert.versionByHost(), plan.options().overridePins(), facts)) {
      case NoAction() -> {
        deadlines.complete();
        yield false;
      }
      case Declined(Reason reason) -> {
        deadlines.requestStop(reason);
        yield false;
      }
      case Proceed() -> true;
    };
  }

  private void revertOrComplete(DeviceFacts facts) {
    enterPhase.accept(Phase.REVERT);
    if (!runForward(() -> revertDevice(facts))) {
      cancelForward();
      plan.hosts().forEach(this::completeHost);
    }
  }

  private void revertDevice(DeviceFacts known) {
    awaitAllHosts();
    if (mayRevert(known.withVersions(hosts.versions()))) {
      revertHostByHost();
    }
  }

  /// No host is changed before all of them have answered.
  private void awaitAllHosts() {
    Promise.allOf(plan.hosts().stream().map(host -> Async.procedure(steps::awaitVersion, host)).toList()).get();
  }

  private void revertHostByHost() {
    for (HostId host : plan.hosts().reversed()) {
      steps.runUnlessSkipped(host, () -> revertHost(host));
    }
    deadlines.complete();
  }

  private void revertHost(HostId host) {
    StepResult restored = steps.rollBack(host);
    while (restored instanceof NotSent) {
      steps.awaitHost(host);
      restored = steps.rollBack(host);
    }
    steps.awaitHeartbeatUnlessHeard(host, steps.rebootOrHandOverIfRequired(host, restored));
    hosts.setProgress(host, ROLLED_BACK);
  }

  /// Completes a host that was interrupted halfway, because it must not stay there.
  private void completeHost(HostId host) {
    if (hosts.progress(host) != CHANGED || hosts.isSkipped(host)) {
      return;
    }
    if (hosts.hasFailed(host)) {
      hosts.setProgress(host, STRANDED);
      return;
    }
    enterPhase.accept(Phase.ROLLBACK);
    deadlines.startRollback(Deadlines.now().plus(plan.options().timeouts().stepTimeout(ROLLBACK)));
    hosts.startRollback(host);
    try {
      revertHost(host);
    } catch (UpgradeStopped | HostSkipped | TemporalFailure _) {
      // The host's report has the reason.
      hosts.setProgress(host, STRANDED);
    }
  }
}
