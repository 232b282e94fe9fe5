package dev.uplift.workflows.device.procedure;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Step;
import dev.uplift.workflows.device.PendingWait;
import dev.uplift.workflows.device.UpgradeWaitReason;
import io.temporal.workflow.Promise;
import io.temporal.workflow.TimerOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// What the upgrade waits for at the moment, and how it waits for time to pass.
final class PendingWaits {
  private final List<PendingWait> open = new ArrayList<>();
  private final Runnable onChange;

  /// Runs `onChange` whenever something new is waited for.
  PendingWaits(Runnable onChange) {
    this.onChange = onChange;
  }

  /// What somebody waits for as long as `work` goes on.
  <T> T runDuring(PendingWait pendingWait, Supplier<T> work) {
    open.add(pendingWait);
    onChange.run();
    try {
      return work.get();
    } finally {
      open.remove(pendingWait);
    }
  }

  /// Until `met`, or until the wait is over. Whether it was met.
  boolean await(PendingWait pendingWait, BooleanSupplier met) {
    return runDuring(pendingWait, () -> sleep(pendingWait.until().orElseThrow(), pendingWait.message(), met));
  }

  List<PendingWait> open() {
    return List.copyOf(open);
  }

  /// The steps that are waited for.
  String describe() {
    return open.stream()
        .map(pendingWait -> pendingWait.step() + " " + pendingWait.host())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /// Whether `met` came before `end` did. Ends early, unmet, when it is cancelled.
  static boolean sleep(Instant end, String summary, BooleanSupplier met) {
    if (!met.getAsBoolean() && now().isBefore(end)) {
      TimerOptions shown = TimerOptions.newBuilder().setSummary(summary).build();
      Workflow.newCancellationScope(
              scope -> {
                Promise<Void> alarm = Workflow.newTimer(Duration.between(now(), end), shown);
                Workflow.await(() -> alarm.isCompleted() || met.getAsBoolean());
                // `Workflow.await` with a time-out would leave its timer running.
                scope.cancel();
              })
          .run();
    }
    return met.getAsBoolean();
  }

  /// Lets a moment pass. Whether there is still time then.
  static boolean pauseAndCheckTimeLeft(Instant until) {
    sleep(now().plusSeconds(1), "a moment", () -> !now().isBefore(until));
    return now().isBefore(until);
  }

  static PendingWait newPendingWait(UpgradeWaitReason reason, Step step, HostId host, String sentence, Instant until) {
    return new PendingWait(reason, step, host, sentence, reason.from(host), now(), Optional.of(until));
  }

  static Instant now() {
    return Instant.ofEpochMilli(Workflow.currentTimeMillis());
  }
}
