package dev.uplift.workflows.device.procedure;

import dev.uplift.fleet.Reason;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import java.util.Optional;

/// The way to where a device is to be, which can be broken off.
final class CancellableScope {
  private final Deadlines deadlines;
  private final StepRunner steps;
  private Optional<CancellationScope> scope = Optional.empty();

  CancellableScope(Deadlines deadlines, StepRunner steps) {
    this.deadlines = deadlines;
    this.steps = steps;
  }

  /// Goes the way. Whether it came to its end; if not, [Deadlines#reason] says why.
  boolean run(Runnable way) {
    CancellationScope begun = Workflow.newDetachedCancellationScope(way);
    scope = Optional.of(begun);
    try {
      begun.run();
      return true;
    } catch (UpgradeStopped | TemporalFailure _) {
      return false;
    }
  }

  /// Has it end as soon as the hosts have answered, and returns at once.
  void stop(Reason why) {
    deadlines.requestStop(why);
    Async.procedure(Workflow.newDetachedCancellationScope(this::cancel)::run);
  }

  /// Not a Temporal cancel: a cancelled Java workflow closes without its result.
  void cancel() {
    steps.cancelRunning();
    scope.ifPresent(CancellationScope::cancel);
  }
}
