package dev.uplift.workflows.device;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Step;
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
final class Waits {
  private final List<Wait> open = new ArrayList<>();
  private final Runnable onChange;

  /// Runs `onChange` whenever something new is waited for.
  Waits(Runnable onChange) {
    this.onChange = onChange;
  }

  /// What somebody waits for as long as `work` goes on.
  <T> T during(Wait wait, Supplier<T> work) {
    open.add(wait);
    onChange.run();
    try {
      return work.get();
    } finally {
      open.remove(wait);
    }
  }

  /// Until `met`, or until the wait is over. Whether it was met.
  boolean until(Wait wait, BooleanSupplier met) {
    return during(wait, () -> sleep(wait.until().orElseThrow(), wait.sentence(), met));
  }

  List<Wait> open() {
    return List.copyOf(open);
  }

  /// The steps that are waited for.
  String inWords() {
    return open.stream()
        .map(wait -> wait.step() + " " + wait.host())
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
  static boolean isTimeLeft(Instant until) {
    sleep(now().plusSeconds(1), "a moment", () -> !now().isBefore(until));
    return now().isBefore(until);
  }

  static Wait newWait(WaitFor what, Step step, HostId host, String sentence, Instant until) {
    return new Wait(what, step, host, sentence, what.from(host), now(), Optional.of(until));
  }

  static Instant now() {
    return Instant.ofEpochMilli(Workflow.currentTimeMillis());
  }
}
