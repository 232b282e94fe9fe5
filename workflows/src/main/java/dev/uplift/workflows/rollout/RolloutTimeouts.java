package dev.uplift.workflows.rollout;

import dev.uplift.workflows.device.UpgradeTimeouts;
import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/// How long the activities of a rollout may take: every time-out and retry policy of a rollout is in this file.
///
/// @param maxRun how long one [RolloutSteps] activity works at most
/// @param heartbeatTimeout how long such an activity may be silent before another attempt replaces it
/// @param maxIdle how long a rollout whose devices are blocked waits at most before it tries again
public record RolloutTimeouts(Duration maxRun, Duration heartbeatTimeout, Duration maxIdle) {
  public static final RolloutTimeouts DEFAULTS =
      new RolloutTimeouts(Duration.ofHours(1), Duration.ofSeconds(30), Duration.ofHours(1));

  /// An attempt fails because its server was killed or a store was unavailable, which says nothing about the next one:
  /// it follows as soon as the second one did.
  private static final Duration MAX_RETRY_INTERVAL = Duration.ofSeconds(5);

  /// A device that was just being started when an operator stopped the rollout is started within this time, or not at
  /// all. Bounds the wait for a server that was killed meanwhile.
  static final Duration START_TIMEOUT = Duration.ofSeconds(5);

  ActivityOptions stepOptions(String summary) {
    return ActivityOptions.newBuilder()
        // An activity whose time is over returns by itself.
        .setStartToCloseTimeout(maxRun.plus(heartbeatTimeout).plus(heartbeatTimeout))
        .setHeartbeatTimeout(heartbeatTimeout)
        .setRetryOptions(
            RetryOptions.newBuilder()
                .setInitialInterval(Duration.ofSeconds(1))
                .setMaximumInterval(
                    heartbeatTimeout.compareTo(MAX_RETRY_INTERVAL) < 0 ? heartbeatTimeout : MAX_RETRY_INTERVAL)
                .build())
        // Else a device could be started by it after the next run has answered a pause.
        .setCancellationType(ActivityCancellationType.WAIT_CANCELLATION_COMPLETED)
        .setSummary(summary)
        .build();
  }

  /// One transaction on one row; a database may be unavailable for long.
  static LocalActivityOptions recordsOptions(String summary) {
    return LocalActivityOptions.newBuilder()
        .setStartToCloseTimeout(Duration.ofSeconds(10))
        .setRetryOptions(UpgradeTimeouts.retryForEver())
        .setSummary(summary)
        .build();
  }
}
