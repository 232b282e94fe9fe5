package dev.uplift.workflows.device.procedure;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.PendingWait;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import dev.uplift.workflows.device.procedure.Deadlines.UpgradeStopped;
import io.temporal.workflow.Promise;
import io.temporal.workflow.TimerOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// The current waits of the upgrade, and every way to wait: for work, for a time, and for an operator until the
/// deadline.
final class PendingWaits {
  private static final int MAX_SUMMARY_BYTES = 200;
  private static final String ELLIPSIS = "…";

  private final Deadlines deadlines;
  private final List<PendingWait> open = new ArrayList<>();
  private final Runnable onChange;

  /// Runs `onChange` whenever something new is waited for.
  PendingWaits(Deadlines deadlines, Runnable onChange) {
    this.deadlines = deadlines;
    this.onChange = onChange;
  }

  /// Shows `pendingWait` while `work` runs.
  <T> T runDuring(PendingWait pendingWait, Supplier<T> work) {
    open.add(pendingWait);
    onChange.run();
    try {
      return work.get();
    } finally {
      open.remove(pendingWait);
    }
  }

  /// Blocks until `met`, or until the wait ends. Returns whether it was met.
  boolean await(PendingWait pendingWait, BooleanSupplier met) {
    return runDuring(pendingWait, () -> sleep(pendingWait.until().orElseThrow(), pendingWait.message(), met));
  }

  /// Blocks while the upgrade is paused.
  ///
  /// @throws UpgradeStopped when it is not resumed before the deadline, or is stopped
  void awaitResume(Step step, HostId host) {
    if (deadlines.pausedBy().isPresent()) {
      Operator by = deadlines.pausedBy().get();
      String message = "resume, before %s %s: paused by %s".formatted(step, host, by.describe());
      awaitUntilDeadline(UpgradeWaitReason.RESUME, step, host, message, () -> deadlines.pausedBy().isEmpty());
    }
  }

  /// Blocks until `met`, until the deadline at most, also where that is moved meanwhile.
  ///
  /// @throws UpgradeStopped when it is not met in time, or the upgrade is stopped
  void awaitUntilDeadline(UpgradeWaitReason reason, Step step, HostId host, String message, BooleanSupplier met) {
    PendingWait pendingWait = newPendingWait(reason, step, host, message, deadlines.notAfter());
    while (true) {
      Instant end = deadlines.notAfter();
      boolean inTime =
          await(
              pendingWait.until(end),
              () -> met.getAsBoolean() || deadlines.isStopped() || !deadlines.notAfter().equals(end));
      deadlines.throwIfStopped();
      if (!inTime) {
        throw deadlines.requestStop(Reason.deadline(end, "waited for " + message));
      }
      if (met.getAsBoolean()) {
        return;
      }
    }
  }

  List<PendingWait> open() {
    return List.copyOf(open);
  }

  /// Returns the oldest current wait that the records are told of.
  Optional<PendingWait> oldestRecorded() {
    return open.stream().filter(wait -> wait.reason().isRecorded()).min(Comparator.comparing(PendingWait::since));
  }

  /// Blocks until `met` or `end`. Returns whether it was met. Ends early, unmet, when it is cancelled.
  static boolean sleep(Instant end, String summary, BooleanSupplier met) {
    if (!met.getAsBoolean() && Deadlines.now().isBefore(end)) {
      TimerOptions shown = TimerOptions.newBuilder().setSummary(truncate(summary)).build();
      Workflow.newCancellationScope(
              scope -> {
                Promise<Void> alarm = Workflow.newTimer(Duration.between(Deadlines.now(), end), shown);
                Workflow.await(() -> alarm.isCompleted() || met.getAsBoolean());
                // `Workflow.await` with a time-out would leave its timer running.
                scope.cancel();
              })
          .run();
    }
    return met.getAsBoolean();
  }

  /// Returns what fits into a summary, which holds 400 bytes in Temporal: texts of hosts are longer.
  static String truncate(String summary) {
    if (summary.getBytes(UTF_8).length <= MAX_SUMMARY_BYTES) {
      return summary;
    }
    int end = Math.min(summary.length(), MAX_SUMMARY_BYTES);
    while (summary.substring(0, end).getBytes(UTF_8).length > MAX_SUMMARY_BYTES - ELLIPSIS.getBytes(UTF_8).length) {
      end = summary.offsetByCodePoints(end, -1);
    }
    return summary.substring(0, end) + ELLIPSIS;
  }

  /// Blocks for a second at most. Returns whether there is time left then.
  static boolean pauseAndCheckTimeLeft(Instant until) {
    sleep(Deadlines.now().plusSeconds(1), "a moment", () -> !Deadlines.now().isBefore(until));
    return Deadlines.now().isBefore(until);
  }

  static PendingWait newPendingWait(UpgradeWaitReason reason, Step step, HostId host, String message, Instant until) {
    return new PendingWait(reason, step, host, message, reason.from(host), Deadlines.now(), Optional.of(until));
  }
}
