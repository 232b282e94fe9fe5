package dev.uplift.workflows.barrier;

import dev.uplift.workflows.device.UpgradeTimeouts;
import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/// Every time-out and retry policy of the activities of a barrier.
public final class BarrierTimeouts {
  /// Bound for one [BarrierSteps] activity. The longest barrier, a week, has some hundred of them.
  public static final Duration MAX_RUN = Duration.ofHours(1);

  private static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(30);

  /// An attempt fails because its server was killed or something was unavailable, which says nothing about the next
  /// one.
  private static final Duration MAX_RETRY_INTERVAL = Duration.ofSeconds(5);

  private BarrierTimeouts() {}

  static ActivityOptions stepOptions(String summary) {
    return ActivityOptions.newBuilder()
        // An activity whose time is over returns by itself.
        .setStartToCloseTimeout(MAX_RUN.plus(HEARTBEAT_TIMEOUT).plus(HEARTBEAT_TIMEOUT))
        .setHeartbeatTimeout(HEARTBEAT_TIMEOUT)
        .setRetryOptions(
            RetryOptions.newBuilder()
                .setInitialInterval(Duration.ofSeconds(1))
                .setMaximumInterval(MAX_RETRY_INTERVAL)
                .build())
        .setCancellationType(ActivityCancellationType.TRY_CANCEL)
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
