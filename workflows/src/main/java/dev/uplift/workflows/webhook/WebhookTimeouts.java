package dev.uplift.workflows.webhook;

import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/// Every time-out and retry policy of the activities of a webhook. The pause after a failure of a receiver is decided
/// in `fleet`.
final class WebhookTimeouts {
  /// More than all events of one activity may take.
  private static final Duration MAX_RUN = Duration.ofMinutes(30);

  /// More than one event may take.
  private static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(60);

  private static final Duration MAX_RETRY_INTERVAL = Duration.ofSeconds(30);

  private WebhookTimeouts() {}

  static ActivityOptions stepOptions() {
    return ActivityOptions.newBuilder()
        .setStartToCloseTimeout(MAX_RUN)
        .setHeartbeatTimeout(HEARTBEAT_TIMEOUT)
        .setRetryOptions(
            RetryOptions.newBuilder()
                .setInitialInterval(Duration.ofSeconds(1))
                .setMaximumInterval(MAX_RETRY_INTERVAL)
                .build())
        .setCancellationType(ActivityCancellationType.TRY_CANCEL)
        .setSummary("sends what has happened")
        .build();
  }
}
