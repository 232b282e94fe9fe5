package dev.uplift.workflows.device;

import static dev.uplift.fleet.Step.INSPECT;
import static dev.uplift.fleet.Step.PREPARE;
import static dev.uplift.fleet.Step.ROLLBACK;
import static dev.uplift.fleet.Step.UPGRADE;

import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Which way an upgrade goes, until when, and why no further.
final class Course {
  private enum Way {
    FORWARD,
    BACK,
    ARRIVED
  }

  private final Pace pace;
  private Way way = Way.FORWARD;
  private Instant notAfter;
  private @Nullable Reason stopped;
  private @Nullable Reason skipped;
  private @Nullable Operator pausedBy;
  private @Nullable Instant touchBy;

  Course(UpgradePlan plan) {
    this.pace = plan.pace();
    this.notAfter = plan.notAfter();
  }

  /// The first reason is kept, however the way back goes.
  Stopped stop(Reason why) {
    stopped = stopped == null ? why : stopped;
    return new Stopped(why.text());
  }

  /// Goes on without a host. Says why, unless something worse happens.
  void excuse(Reason why) {
    skipped = skipped == null ? why : skipped;
  }

  /// @throws Stopped if somebody or something has stopped the way forward
  void goOn() {
    if (isStopped()) {
      throw new Stopped("stopped");
    }
  }

  /// From here on orders lead back, until then. A pause is over: it holds what would be begun.
  void turnBack(Instant until) {
    way = Way.BACK;
    notAfter = until;
    pausedBy = null;
  }

  void arrive() {
    way = Way.ARRIVED;
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
  Instant beginsBy(Step step) {
    boolean bounded = isForward() ? isBegin(step) : step != INSPECT;
    return bounded ? notAfter : usual(step);
  }

  /// The same of a host that nothing was done to yet: a window may close before the deadline.
  Instant touchesBy(Step step) {
    Instant begins = beginsBy(step);
    boolean bounded = isForward() && step == UPGRADE;
    return touchedBy().filter(end -> bounded && end.isBefore(begins)).orElse(begins);
  }

  /// No host is touched past this that was not before; empty: but for the deadline.
  void touchBy(Optional<Instant> windowCloses) {
    touchBy = windowCloses.orElse(null);
  }

  Optional<Instant> touchedBy() {
    return Optional.ofNullable(touchBy);
  }

  /// The deadline is a later one from now on.
  void extend(Instant until) {
    notAfter = until;
  }

  /// Until when a host is given to do it. An upgrade that has begun in time goes on to its end.
  Instant endsBy(Step step) {
    Instant usual = usual(step);
    Instant begins = beginsBy(step);
    boolean mayOutlast = isForward() && (step == UPGRADE || step == ROLLBACK);
    return mayOutlast || usual.isBefore(begins) ? usual : begins;
  }

  private static boolean isBegin(Step step) {
    return step == PREPARE || step == UPGRADE || step == ROLLBACK;
  }

  private Instant usual(Step step) {
    return Waits.now().plus(pace.within(step));
  }

  boolean isForward() {
    return way == Way.FORWARD;
  }

  /// Whether there is still something that could be kept from being begun.
  boolean canBeStopped() {
    return isForward() && stopped == null;
  }

  boolean isStopped() {
    return isForward() && stopped != null;
  }

  boolean isLate() {
    return !Waits.now().isBefore(notAfter);
  }

  Instant notAfter() {
    return notAfter;
  }

  Optional<Operator> pausedBy() {
    return Optional.ofNullable(pausedBy);
  }

  Optional<Reason> reason() {
    return Optional.ofNullable(stopped != null ? stopped : skipped);
  }
}
