package dev.uplift.workflows.device;

import dev.uplift.fleet.Reason;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import java.util.Optional;

/// The way to where a device is to be, which can be broken off.
final class Forward {
  private final Course course;
  private final Orders orders;
  private Optional<CancellationScope> scope = Optional.empty();

  Forward(Course course, Orders orders) {
    this.course = course;
    this.orders = orders;
  }

  /// Goes the way. Whether it came to its end; if not, [Course#reason] says why.
  boolean go(Runnable way) {
    CancellationScope begun = Workflow.newDetachedCancellationScope(way);
    scope = Optional.of(begun);
    try {
      begun.run();
      return true;
    } catch (Stopped | TemporalFailure _) {
      return false;
    }
  }

  /// Has it end as soon as the hosts have answered, and returns at once.
  void halt(Reason why) {
    course.stop(why);
    Async.procedure(Workflow.newDetachedCancellationScope(this::breakOff)::run);
  }

  /// Not a Temporal cancel: a cancelled Java workflow closes without its result.
  void breakOff() {
    orders.breakOff();
    scope.ifPresent(CancellationScope::cancel);
  }
}
