package dev.uplift.workflows.policy;

import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/// How long the activities of a policy may take, and how long it waits: every time-out and retry policy of a policy is
/// in this file.
final class PolicyTimeouts {
  /// For a signal that was lost while Temporal was unavailable.
  static final Duration MAX_IDLE = Duration.ofHours(1);

  /// Between two looks at all devices without a change: the clock of the server that looks may differ from Temporal's.
  static final Duration MIN_IDLE = Duration.ofSeconds(1);

  /// So that many changes at the same time are one evaluation.
  static final Duration COALESCE = Duration.ofSeconds(2);

  /// Of more devices, all are looked at.
  static final int MAX_DEVICES = 100;

  private static final Duration MAX_RUN = Duration.ofMinutes(10);
  private static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration MAX_RETRY_INTERVAL = Duration.ofSeconds(30);

  private PolicyTimeouts() {}

  static ActivityOptions stepOptions(String summary) {
    return ActivityOptions.newBuilder()
        .setStartToCloseTimeout(MAX_RUN)
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
}
