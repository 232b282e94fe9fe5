package dev.uplift.workflows.device.procedure;

import static dev.uplift.fleet.Step.INSPECT;
import static dev.uplift.fleet.Step.PREPARE;
import static dev.uplift.fleet.Step.ROLLBACK;
import static dev.uplift.fleet.Step.UPGRADE;

import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import dev.uplift.workflows.device.Operator;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeTimeouts;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Which way an upgrade goes, until when, and why no further.
final class Deadlines {
  private enum Direction {
    FORWARD,
    ROLLBACK,
    COMPLETED
  }

  private final UpgradeTimeouts timeouts;
  private Direction direction = Direction.FORWARD;
  private Instant notAfter;
  private @Nullable Reason stopReason;
  private @Nullable Reason skipReason;
  private @Nullable Operator pausedBy;
  private @Nullable Instant windowEnd;

  Deadlines(UpgradePlan plan) {
    this.timeouts = plan.timeouts();
    this.notAfter = plan.notAfter();
  }

  /// The first reason is kept, however the way back goes.
  UpgradeStopped requestStop(Reason why) {
    stopReason = stopReason == null ? why : stopReason;
    return new UpgradeStopped(why.message());
  }

  /// Goes on without a host. Says why, unless something worse happens.
  void recordSkip(Reason why) {
    skipReason = skipReason == null ? why : skipReason;
  }

  /// @throws UpgradeStopped if somebody or something has stopped the way forward
  void throwIfStopped() {
    if (isStopped()) {
      throw new UpgradeStopped("stopped");
    }
  }

  /// From here on orders lead back, until then. A pause is over: it holds what would be begun.
  void startRollback(Instant until) {
    direction = Direction.ROLLBACK;
    notAfter = until;
    pausedBy = null;
  }

  void complete() {
    direction = Direction.COMPLETED;
  }

  void pause(Operator by) {
    pausedBy = by;
  }

  void resume() {
    pausedBy = null;
  }

  /// Until when a host may begin the step. A rollback on the way forward takes back what is done,
  /// and is bounded as an upgrade is. Once it is touched, forward is the shorter way: the deadline
  /// bounds what has not begun. To ask a host is never too late.
  Instant latestStart(Step step) {
    boolean bounded = isForward() ? startsChange(step) : step != INSPECT;
    return bounded ? notAfter : normalEnd(step);
  }

  /// The same of a host that nothing was done to yet: a window may close before the deadline.
  Instant latestFirstChange(Step step) {
    Instant begins = latestStart(step);
    boolean bounded = isForward() && step == UPGRADE;
    return windowEnd().filter(end -> bounded && end.isBefore(begins)).orElse(begins);
  }

  /// No host is touched past this that was not before; empty: but for the deadline.
  void windowEnd(Optional<Instant> windowCloses) {
    windowEnd = windowCloses.orElse(null);
  }

  Optional<Instant> windowEnd() {
    return Optional.ofNullable(windowEnd);
  }

  /// The deadline is a later one from now on.
  void extend(Instant until) {
    notAfter = until;
  }

  /// Until when a host is given to do it. An upgrade that has begun in time goes on to its end.
  Instant latestEnd(Step step) {
    Instant usual = normalEnd(step);
    Instant begins = latestStart(step);
    boolean mayOutlast = isForward() && (step == UPGRADE || step == ROLLBACK);
    return mayOutlast || usual.isBefore(begins) ? usual : begins;
  }

  private static boolean startsChange(Step step) {
    return step == PREPARE || step == UPGRADE || step == ROLLBACK;
  }

  private Instant normalEnd(Step step) {
    return PendingWaits.now().plus(timeouts.stepTimeout(step));
  }

  boolean isForward() {
    return direction == Direction.FORWARD;
  }

  /// Whether there is still something that could be kept from being begun.
  boolean canBeStopped() {
    return isForward() && stopReason == null;
  }

  boolean isStopped() {
    return isForward() && stopReason != null;
  }

  boolean isPastDeadline() {
    return !PendingWaits.now().isBefore(notAfter);
  }

  Instant notAfter() {
    return notAfter;
  }

  Optional<Operator> pausedBy() {
    return Optional.ofNullable(pausedBy);
  }

  Optional<Reason> reason() {
    return Optional.ofNullable(stopReason != null ? stopReason : skipReason);
  }
}
