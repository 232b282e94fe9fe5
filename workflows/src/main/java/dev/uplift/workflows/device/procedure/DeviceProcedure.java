package dev.uplift.workflows.device.procedure;

import dev.uplift.fleet.DeviceFacts;
import dev.uplift.fleet.Phase;
import dev.uplift.fleet.Reason;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeResult;
import dev.uplift.workflows.device.procedure.Deadlines.UpgradeStopped;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import java.util.Optional;
import java.util.function.Consumer;

/// The procedure on a device: it is upgraded, or a finished upgrade of it is reverted. Its way forward can be stopped;
/// what follows then is up to the procedure.
abstract class DeviceProcedure {
  final UpgradePlan plan;
  final HostTracker hosts;
  final Deadlines deadlines;
  final StepRunner steps;
  final Consumer<Phase> enterPhase;
  private Optional<CancellationScope> wayForward = Optional.empty();

  DeviceProcedure(
      UpgradePlan plan, HostTracker hosts, Deadlines deadlines, StepRunner steps, Consumer<Phase> enterPhase) {
    this.plan = plan;
    this.hosts = hosts;
    this.deadlines = deadlines;
    this.steps = steps;
    this.enterPhase = enterPhase;
  }

  /// Returns how it ended, whatever that was.
  abstract UpgradeResult run(DeviceFacts facts);

  /// Runs the way forward until it ends or is stopped. Returns whether it came to its end; if not, [Deadlines#reason]
  /// says why.
  final boolean runForward(Runnable way) {
    CancellationScope scope = Workflow.newDetachedCancellationScope(way);
    wayForward = Optional.of(scope);
    try {
      scope.run();
      return true;
    } catch (UpgradeStopped | TemporalFailure _) {
      return false;
    }
  }

  /// Stops the way forward as soon as the hosts have answered, and returns at once. Allowed as long as
  /// [Deadlines#canBeStopped].
  final void stop(Reason reason) {
    deadlines.requestStop(reason);
    Async.procedure(Workflow.newDetachedCancellationScope(this::cancelForward)::run);
  }

  /// Cancels the running commands, and then whatever still waits. Not a cancellation of the workflow: a cancelled Java
  /// workflow closes without its result.
  final void cancelForward() {
    steps.cancelRunning();
    wayForward.ifPresent(CancellationScope::cancel);
  }
}
