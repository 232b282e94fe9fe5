package dev.uplift.workflows.device;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElseGet;

import dev.uplift.fleet.Step;
import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.RetryOptions;
import java.time.Duration;
import java.util.Map;

/// How long a step may take and how often it is tried: every time-out and retry policy of a device
/// upgrade is in this file. An input, so that a test on a real server need not wait for hours.
public record UpgradeTimeouts(
    Map<Step, Duration> stepTimeout,
    Duration resendInterval,
    Duration maxResendInterval,
    Duration backOff,
    Duration cancelGrace) {

  public static final UpgradeTimeouts DEFAULTS =
      new UpgradeTimeouts(
          Map.of(
              Step.PREPARE, Duration.ofHours(6),
              Step.UPGRADE, Duration.ofHours(1),
              // Longer than a boot with a file system check.
              Step.REBOOT, Duration.ofMinutes(15),
              // Longer than the old agent waits for it before it goes back by itself.
              Step.AWAIT_SUCCESSOR, Duration.ofMinutes(10),
              Step.STOP, Duration.ofMinutes(10),
              Step.AWAIT_HEARTBEAT, Duration.ofMinutes(10),
              Step.COMMIT, Duration.ofMinutes(10),
              Step.ROLLBACK, Duration.ofHours(2),
              Step.INSPECT, Duration.ofMinutes(10),
              Step.CANCEL, Duration.ofMinutes(5)),
          // A command that got lost without an error costs no more than this.
          Duration.ofMinutes(10),
          // 100,000 silent hosts at one re-send an hour are some 30 writes a second.
          Duration.ofHours(1),
          Duration.ofMinutes(1),
          Duration.ofMinutes(5));

  public Duration stepTimeout(Step step) {
    // A plan of an earlier version does not name the newer steps.
    return requireNonNullElseGet(stepTimeout.get(step), () -> defaultStepTimeout(step));
  }

  private static Duration defaultStepTimeout(Step step) {
    return requireNonNull(DEFAULTS.stepTimeout.get(step), () -> "no time for " + step);
  }

  /// What a host is given to go back, however late its turn comes.
  public Duration minRollbackTime() {
    return stepTimeout(Step.REBOOT).plus(stepTimeout(Step.AWAIT_HEARTBEAT));
  }

  /// Before a step is ordered anew: three times in all, so 1, 2 and 4 minutes.
  public Duration backOff(int generation) {
    return backOff.multipliedBy(1L << (generation - 1));
  }

  /// One wait for a host. `within` is its time-out, the retry is the re-send: same bytes, same
  /// command id. There is no limit on attempts, for a host that is off answers none of them.
  public ActivityOptions stepOptions(Duration within, String summary) {
    return ActivityOptions.newBuilder()
        .setStartToCloseTimeout(resendInterval)
        .setScheduleToCloseTimeout(within)
        .setRetryOptions(
            RetryOptions.newBuilder()
                // A command that could not be published is tried again at once.
                .setInitialInterval(Duration.ofSeconds(1))
                .setBackoffCoefficient(2)
                .setMaximumInterval(maxResendInterval)
                .build())
        // Ends the wait at once and the re-sends with it. ABANDON would go on sending an aborted
        // upgrade; WAIT_CANCELLATION_COMPLETED waits for a bridge that nobody tells.
        .setCancellationType(ActivityCancellationType.TRY_CANCEL)
        // No heartbeat time-out: nobody beats for an activity that has returned.
        .setSummary(summary)
        .build();
  }

  /// A look at what we know ourselves. Tried again until our own link lets us know, without limit
  /// and without a trace in the history.
  public ActivityOptions observeOptions(String summary) {
    return ActivityOptions.newBuilder()
        .setStartToCloseTimeout(Duration.ofSeconds(10))
        .setRetryOptions(RetryOptions.newBuilder().setMaximumInterval(resendInterval).build())
        .setCancellationType(ActivityCancellationType.TRY_CANCEL)
        .setSummary(summary)
        .build();
  }

  /// A look at our own tables. A database may be away for long; nothing is decided without it.
  public static LocalActivityOptions recordsOptions() {
    return LocalActivityOptions.newBuilder()
        // A row by its key; slower than this is a database in trouble, so ask again.
        .setStartToCloseTimeout(Duration.ofSeconds(5))
        // Every try after the first few is six events of history, for as long as the database is
        // away.
        .setRetryOptions(
            RetryOptions.newBuilder().setMaximumInterval(Duration.ofMinutes(2)).build())
        .build();
  }
}
