package dev.uplift.activities.metrics;

import static java.util.Objects.requireNonNull;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Step;
import dev.uplift.store.command.CommandRow;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.IntStream;

/// Counts the upgrades whose end this server has recorded, and measures how long hosts take to answer.
@Singleton
public final class UpgradeMetrics {
  /// From a reboot that is not needed to the longest default time-out of a step.
  private static final Duration[] BUCKETS =
      IntStream.of(1, 5, 15, 60, 300, 900, 3600, 6 * 3600).mapToObj(Duration::ofSeconds).toArray(Duration[]::new);

  private final Map<Outcome, Counter> ended = new EnumMap<>(Outcome.class);
  private final Map<Step, Timer> answers = new EnumMap<>(Step.class);

  public UpgradeMetrics(MeterRegistry meters) {
    for (Outcome outcome : Outcome.values()) {
      ended.put(
          outcome,
          Counter.builder("uplift.upgrades.ended")
              .description("upgrades that have ended; one may count twice when a server is killed")
              .tag("outcome", outcome.toString())
              .register(meters));
    }
    Arrays.stream(Step.values())
        .filter(step -> !step.isShownByHeartbeat())
        .forEach(step ->
            answers.put(
                step,
                Timer.builder("uplift.command.answer")
                    .description("from when a command was published first to its outcome")
                    .tag("step", step.toString())
                    .serviceLevelObjectives(BUCKETS)
                    .register(meters)));
  }

  /// Counts an upgrade that has ended.
  public void countEnd(Outcome outcome) {
    requireNonNull(ended.get(outcome)).increment();
  }

  /// Measures a command whose outcome was recorded for the first time.
  public void recordAnswer(CommandRow command, Instant now) {
    Timer timer = answers.get(command.step());
    if (timer != null) {
      timer.record(Duration.between(command.publishedAt().orElse(command.createdAt()), now));
    }
  }
}
