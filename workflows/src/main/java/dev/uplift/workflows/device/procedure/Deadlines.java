package dev.uplift.workflows.device.procedure;

import static dev.uplift.fleet.Step.INSPECT;
import static dev.uplift.fleet.Step.PREPARE;
import static dev.uplift.fleet.Step.ROLLBACK;
import static dev.uplift.fleet.Step.UPGRADE;

import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeTimeouts;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Which direction an upgrade goes, until when, and why it was stopped.
final class Deadlines {
  /// Leaves the way forward, or gives up a host of a rollback. [Deadlines#reason] says why.
  static final class UpgradeStopped extends RuntimeException {
    private static final long serialVersionUID = 1;

    private UpgradeStopped(String message) {
      super(message);
    }
  }

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
    this.timeouts = plan.options().timeouts();
    this.notAfter = plan.options().notAfter();
  }

  static Instant now() {
    return Instant.ofEpochMilli(Workflow.currentTimeMillis());
  }

  /// Stops the way forward. The first reason is kept, whatever the rollback brings.
  UpgradeStopped requestStop(Reason reason) {
    stopReason = stopReason == null ? reason : stopReason;
    return new UpgradeStopped(reason.message());
  }

  /// Records why a host is left out. It is the reason of the upgrade, unless something stops it.
  void recordSkip(Reason reason) {
    skipReason = skipReason == null ? reason : skipReason;
  }

  /// @throws UpgradeStopped if the way forward was stopped
  void throwIfStopped() {
    if (isStopped()) {
      throw new UpgradeStopped("stopped");
    }
  }

  /// From here on steps roll back, until `until`. Ends a pause, which only holds the way forward.
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

  /// Until when a host may start the step. The deadline bounds steps that start a change; a rollback on the way forward
  /// is a revert, and bounded as an upgrade is. A changed host continues, because forward is the shorter way. Asking a
  /// host is never too late.
  Instant latestStart(Step step) {
    boolean bounded = isForward() ? startsChange(step) : step != INSPECT;
    return bounded ? notAfter : normalEnd(step);
  }

  /// As [#latestStart], for an unchanged host: its window may close before the deadline.
  Instant latestFirstChange(Step step) {
    Instant latest = latestStart(step);
    boolean bounded = isForward() && step == UPGRADE;
    return windowEnd().filter(end -> bounded && end.isBefore(latest)).orElse(latest);
  }

  /// After `end` no unchanged host is changed; empty: only the deadline counts.
  void windowEnd(Optional<Instant> end) {
    windowEnd = end.orElse(null);
  }

  Optional<Instant> windowEnd() {
    return Optional.ofNullable(windowEnd);
  }

  void extend(Instant until) {
    notAfter = until;
  }

  /// Until when the result of the step is awaited. An upgrade that has started in time finishes.
  Instant latestEnd(Step step) {
    Instant normal = normalEnd(step);
    Instant latestStart = latestStart(step);
    boolean mayOutlast = isForward() && (step == UPGRADE || step == ROLLBACK);
    return mayOutlast || normal.isBefore(latestStart) ? normal : latestStart;
  }

  private static boolean startsChange(Step step) {
    return step == PREPARE || step == UPGRADE || step == ROLLBACK;
  }

  private Instant normalEnd(Step step) {
    return now().plus(timeouts.stepTimeout(step));
  }

  boolean isForward() {
    return direction == Direction.FORWARD;
  }

  /// Returns whether there is still a way forward to stop.
  boolean canBeStopped() {
    return isForward() && stopReason == null;
  }

  boolean isStopped() {
    return isForward() && stopReason != null;
  }

  boolean isPastDeadline() {
    return !now().isBefore(notAfter);
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
