package dev.uplift.workflows.rollout;

import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/// How long a tick may take and how long a rollout rests: every time-out and retry policy of a
/// rollout is in this file.
///
/// @param maxRun how long one tick works at most
/// @param heartbeatTimeout how long a tick may be silent before another one takes its place
/// @param maxIdle how long a rollout with nothing to do waits at most before it looks again
public record RolloutTimeouts(Duration maxRun, Duration heartbeatTimeout, Duration maxIdle) {
  public static final RolloutTimeouts DEFAULTS =
      new RolloutTimeouts(Duration.ofHours(1), Duration.ofSeconds(30), Duration.ofHours(1));

  /// Tries say nothing about a tick: each killed server costs one. So the last is as soon as the
  /// second.
  private static final Duration MAX_RETRY_INTERVAL = Duration.ofSeconds(5);

  ActivityOptions advanceOptions(String summary) {
    return ActivityOptions.newBuilder()
        // A tick that has its time ends by itself.
        .setStartToCloseTimeout(maxRun.plus(heartbeatTimeout).plus(heartbeatTimeout))
        .setHeartbeatTimeout(heartbeatTimeout)
        .setRetryOptions(
            RetryOptions.newBuilder()
                .setInitialInterval(Duration.ofSeconds(1))
                .setMaximumInterval(heartbeatTimeout.compareTo(MAX_RETRY_INTERVAL) < 0 ? heartbeatTimeout : MAX_RETRY_INTERVAL)
                .build())
        .setCancellationType(ActivityCancellationType.TRY_CANCEL)
        .setSummary(summary)
        .build();
  }

  /// One transaction on one row; a database may be away for long.
  static LocalActivityOptions recordsOptions() {
    return LocalActivityOptions.newBuilder()
        .setStartToCloseTimeout(Duration.ofSeconds(10))
        .setRetryOptions(
            RetryOptions.newBuilder().setMaximumInterval(Duration.ofMinutes(2)).build())
        .build();
  }
}
