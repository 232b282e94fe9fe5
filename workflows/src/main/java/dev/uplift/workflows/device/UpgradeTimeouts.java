package dev.uplift.workflows.device;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElseGet;

import dev.uplift.fleet.Step;
import dev.uplift.fleet.StepTimeouts;
import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.RetryOptions;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/// How long a step may take and how often it is retried: every time-out and retry policy of a device upgrade is in this
/// file; decision 0013 says why there are several. An input, so that a test on a real server need not wait for hours.
///
/// @param stepTimeout how long a host has for each step
/// @param resendInterval how long a published command may stay without a result before it is published again
/// @param maxResendInterval the pause between two publications grows to this
/// @param backOff the pause before a failed step is requested again, doubled each time
/// @param cancelGrace how long a host has to answer a cancel
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
              // Longer than the outgoing agent waits for it before it rolls back by itself.
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

  /// Returns a copy with other times for some steps.
  public UpgradeTimeouts with(StepTimeouts others) {
    Map<Step, Duration> all = new EnumMap<>(stepTimeout);
    all.putAll(others.byStep());
    return new UpgradeTimeouts(Map.copyOf(all), resendInterval, maxResendInterval, backOff, cancelGrace);
  }

  /// Returns the times of the steps for which others may be given.
  public StepTimeouts settable() {
    return new StepTimeouts(StepTimeouts.SETTABLE.stream().collect(Collectors.toMap(step -> step, this::stepTimeout)));
  }

  public Duration stepTimeout(Step step) {
    // A plan of an earlier version does not name newer steps.
    return requireNonNullElseGet(stepTimeout.get(step), () -> defaultStepTimeout(step));
  }

  private static Duration defaultStepTimeout(Step step) {
    return requireNonNull(DEFAULTS.stepTimeout.get(step), () -> "no time-out for " + step);
  }

  /// The time that each host has at least for its rollback.
  public Duration minRollbackTime() {
    return stepTimeout(Step.REBOOT).plus(stepTimeout(Step.AWAIT_HEARTBEAT));
  }

  /// The pause before a failed step is requested again: three times in all, so 1, 2 and 4 minutes.
  public Duration backOff(int generation) {
    return backOff.multipliedBy(1L << (generation - 1));
  }

  /// One wait for a host, for `within` at most. A retry publishes the same command again: same bytes, same command id.
  /// The number of attempts is not limited, because a host that is off answers none.
  public ActivityOptions stepOptions(Duration within, String summary) {
    return ActivityOptions.newBuilder()
        .setStartToCloseTimeout(resendInterval)
        .setScheduleToCloseTimeout(within)
        .setRetryOptions(
            RetryOptions.newBuilder()
                // A command that could not be published is retried at once.
                .setInitialInterval(Duration.ofSeconds(1))
                .setBackoffCoefficient(2)
                .setMaximumInterval(maxResendInterval)
                .build())
        // Ends the wait at once and the re-sends with it. ABANDON would continue to send an aborted
        // upgrade; WAIT_CANCELLATION_COMPLETED blocks until the attempt times out.
        .setCancellationType(ActivityCancellationType.TRY_CANCEL)
        // No heartbeat time-out: the activity has returned while its result is awaited.
        .setSummary(summary)
        .build();
  }

  /// A look at what we know ourselves. Retried until our own connection lets us know, without limit and without a trace
  /// in the history.
  public ActivityOptions observeOptions(String summary) {
    return ActivityOptions.newBuilder()
        .setStartToCloseTimeout(Duration.ofSeconds(10))
        .setRetryOptions(RetryOptions.newBuilder().setMaximumInterval(resendInterval).build())
        .setCancellationType(ActivityCancellationType.TRY_CANCEL)
        .setSummary(summary)
        .build();
  }

  /// A call to our own tables. Nothing is decided while the database is unavailable.
  public static LocalActivityOptions recordsOptions() {
    return LocalActivityOptions.newBuilder()
        // A row by its key; a slower answer is a database in trouble, so try again.
        .setStartToCloseTimeout(Duration.ofSeconds(5))
        // The history has the plan already, in its first event.
        .setDoNotIncludeArgumentsIntoMarker(true)
        // Each attempt after the first few adds six events to the history, for as long as the
        // database is unavailable.
        .setRetryOptions(retryForEver())
        .build();
  }

  /// As [#recordsOptions], for what is recorded only once Temporal has accepted the decision.
  public static ActivityOptions recordsOnceAcceptedOptions(String summary) {
    return ActivityOptions.newBuilder()
        .setStartToCloseTimeout(Duration.ofSeconds(10))
        .setRetryOptions(retryForEver())
        .setSummary(summary)
        .build();
  }

  /// The retries of a local activity. The SDK retries one only if it has a schedule-to-close time-out or a number of
  /// attempts, other than an activity.
  public static RetryOptions retryForEver() {
    return RetryOptions.newBuilder()
        .setMaximumInterval(Duration.ofMinutes(2))
        .setMaximumAttempts(Integer.MAX_VALUE)
        .build();
  }
}
