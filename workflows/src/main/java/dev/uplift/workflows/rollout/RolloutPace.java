package dev.uplift.workflows.rollout;

import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/// How long a tick may take and how long a rollout rests: every time-out and retry policy of a
/// rollout is in this file.
///
/// @param box how long one tick works at most
/// @param beat how long a tick may be silent before another one takes its place
/// @param rest how long a rollout with nothing to do waits at most before it looks again
public record RolloutPace(Duration box, Duration beat, Duration rest) {
  public static final RolloutPace USUAL =
      new RolloutPace(Duration.ofHours(1), Duration.ofSeconds(30), Duration.ofHours(1));

  /// Tries say nothing about a tick: each killed server costs one. So the last is as soon as the
  /// second.
  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(5);

  ActivityOptions tick(String summary) {
    return ActivityOptions.newBuilder()
        // A tick that has its time ends by itself.
        .setStartToCloseTimeout(box.plus(beat).plus(beat))
        .setHeartbeatTimeout(beat)
        .setRetryOptions(
            RetryOptions.newBuilder()
                .setInitialInterval(Duration.ofSeconds(1))
                .setMaximumInterval(beat.compareTo(BETWEEN_TRIES) < 0 ? beat : BETWEEN_TRIES)
                .build())
        .setCancellationType(ActivityCancellationType.TRY_CANCEL)
        .setSummary(summary)
        .build();
  }

  /// One transaction on one row; a database may be away for long.
  static LocalActivityOptions records() {
    return LocalActivityOptions.newBuilder()
        .setStartToCloseTimeout(Duration.ofSeconds(10))
        .setRetryOptions(
            RetryOptions.newBuilder().setMaximumInterval(Duration.ofMinutes(2)).build())
        .build();
  }
}
