package dev.uplift.activities.host;

import static java.util.Objects.requireNonNull;

import dev.uplift.activities.host.CommandIssuer.CannotIssue;
import dev.uplift.activities.host.CommandIssuer.IssuedCommand;
import dev.uplift.activities.host.CommandIssuer.LostCommand;
import dev.uplift.activities.host.HostObserver.ObservationUnavailable;
import dev.uplift.activities.temporal.ActivityFailures;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.services.LogContext;
import dev.uplift.services.messaging.NatsUnavailable;
import dev.uplift.services.messaging.StaleEpoch;
import dev.uplift.services.trust.NoCommandKey;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.workflows.device.HostObservation;
import dev.uplift.workflows.device.HostSteps;
import dev.uplift.workflows.device.StepRequest;
import dev.uplift.workflows.device.StepResult;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityInfo;
import io.temporal.failure.ApplicationFailure;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// Publishes the command of a step and returns without completing the activity. [EventConsumer] completes it when the
/// host has answered, [HeartbeatAwaiter] when a heartbeat shows what is awaited, in any server.
@Singleton
public final class HostStepsActivities implements HostSteps {
  private static final Duration MAX_RETRY_DELAY = Duration.ofSeconds(30);

  /// About a minute: a server that was just started, or a link that was down for a moment, leaves no trace in the
  /// history.
  private static final int ATTEMPTS_TO_HEAR = 6;

  private final CommandIssuer issuer;
  private final HeartbeatAwaiter heartbeatAwaiter;
  private final HostObserver observer;

  HostStepsActivities(CommandIssuer issuer, HeartbeatAwaiter heartbeatAwaiter, HostObserver observer) {
    this.issuer = issuer;
    this.heartbeatAwaiter = heartbeatAwaiter;
    this.observer = observer;
  }

  @Override
  public StepResult prepare(StepRequest stepRequest) {
    return runCommand(stepRequest);
  }

  @Override
  public StepResult awaitHost(StepRequest stepRequest) {
    return awaitHeartbeats(stepRequest);
  }

  @Override
  public StepResult upgrade(StepRequest stepRequest) {
    return runUnlessSilent(stepRequest);
  }

  @Override
  public StepResult reboot(StepRequest stepRequest) {
    return runCommand(stepRequest);
  }

  @Override
  public StepResult commit(StepRequest stepRequest) {
    return runCommand(stepRequest);
  }

  @Override
  public StepResult rollback(StepRequest stepRequest) {
    return runUnlessSilent(stepRequest);
  }

  @Override
  public StepResult inspect(StepRequest stepRequest) {
    return runCommand(stepRequest);
  }

  /// The outgoing agent may end before it has answered; then the heartbeats of its successor count.
  @Override
  public StepResult stop(StepRequest stepRequest) {
    return runCommand(stepRequest, this::resultFromHeartbeats);
  }

  /// Sends the first change of a host only while the host is heard: one that is off stays as it is. Once a command
  /// exists it may have been executed, so it is sent again.
  private StepResult runUnlessSilent(StepRequest stepRequest) {
    return attempt(
        stepRequest,
        () ->
            !stepRequest.firstChange() || isHeardOrSent(stepRequest)
                ? runCommand(stepRequest)
                : new StepResult.NotSent(stepRequest.host() + " is not heard"));
  }

  /// Asks the tables and the events only about a host that is not heard, which few are.
  private boolean isHeardOrSent(StepRequest stepRequest) {
    return observer.isHeard(stepRequest, false)
        || issuer.mayBeSent(stepRequest, currentRun())
        || observer.isHeard(stepRequest, attemptNumber() <= ATTEMPTS_TO_HEAR);
  }

  private StepResult runCommand(StepRequest stepRequest) {
    return runCommand(stepRequest, _ -> Optional.empty());
  }

  private StepResult runCommand(StepRequest stepRequest, Function<StepRequest, Optional<StepResult>> observed) {
    return attempt(
        stepRequest,
        () -> {
          IssuedCommand issued = issuer.issue(stepRequest, currentRun(), currentActivity());
          Optional<StepResult> known = StepResultMapper.fromCommand(issued.row()).or(() -> observed.apply(stepRequest));
          if (known.isPresent()) {
            return returnOrThrow(known.get());
          }
          issuer.publish(stepRequest, issued);
          return completeLater();
        });
  }

  @Override
  public StepResult awaitSuccessor(StepRequest stepRequest) {
    return awaitHeartbeats(stepRequest);
  }

  @Override
  public StepResult awaitHeartbeat(StepRequest stepRequest) {
    return awaitHeartbeats(stepRequest);
  }

  private StepResult awaitHeartbeats(StepRequest stepRequest) {
    return attempt(
        stepRequest,
        () -> {
          Optional<StepResult> known = resultFromHeartbeats(stepRequest);
          return known.isPresent() ? returnOrThrow(known.get()) : completeLater();
        });
  }

  /// Returns what the heartbeats show up to now. [HeartbeatAwaiter] processes later ones.
  private Optional<StepResult> resultFromHeartbeats(StepRequest stepRequest) {
    return heartbeatAwaiter.register(observer.heartbeatWait(stepRequest, currentActivity()));
  }

  @Override
  public HostObservation observe(StepRequest stepRequest) {
    return attempt(stepRequest, () -> observer.observe(stepRequest));
  }

  @Override
  public void cancel(StepRequest stepRequest, StepRequest running) {
    attempt(
        stepRequest,
        () -> {
          Optional<IssuedCommand> cancel = issuer.issueCancel(stepRequest, running, currentRun());
          cancel.ifPresent(issued -> issuer.publish(stepRequest, issued));
          return cancel;
        });
  }

  /// Runs one attempt of an activity. If a service is unavailable the attempt fails, and the next one comes soon,
  /// whatever the interval between re-sends of the step.
  private static <T> T attempt(StepRequest stepRequest, Supplier<T> work) {
    DeviceId device = stepRequest.device();
    try (LogContext _ =
        LogContext.ofStep(device.tenant(), device.name(), stepRequest.upgrade(), stepRequest.host().value())) {
      return work.get();
    } catch (NatsUnavailable | DatabaseUnavailable | ObservationUnavailable | NoCommandKey | LostCommand e) {
      throw ActivityFailures.retryable(e).setNextRetryDelay(retryDelay()).build();
    } catch (CannotIssue e) {
      throw new StepResult.Failed(e.code(), ErrorClass.FINAL, String.valueOf(e.getMessage())).toFailure();
    } catch (StaleEpoch e) {
      // Publishing it again would not help. The workflow has to find out what became of it.
      throw ApplicationFailure.newNonRetryableFailure(String.valueOf(e.getMessage()), StaleEpoch.class.getSimpleName());
    }
  }

  /// One second after the first attempt, doubling.
  private static Duration retryDelay() {
    Duration doubled = Duration.ofSeconds(1L << Math.clamp(attemptNumber() - 1L, 0, 10));
    return doubled.compareTo(MAX_RETRY_DELAY) < 0 ? doubled : MAX_RETRY_DELAY;
  }

  private static int attemptNumber() {
    return Activity.getExecutionContext().getInfo().getAttempt();
  }

  private static StepResult returnOrThrow(StepResult stepResult) {
    if (stepResult instanceof StepResult.Failed failed) {
      throw failed.toFailure();
    }
    return stepResult;
  }

  private static String currentRun() {
    return requireNonNull(Activity.getExecutionContext().getInfo().getWorkflowRunId());
  }

  private static WaitingActivity currentActivity() {
    ActivityInfo info = Activity.getExecutionContext().getInfo();
    // Null only for an activity that no workflow has called.
    return new WaitingActivity(requireNonNull(info.getWorkflowId()), info.getActivityId());
  }

  /// To be called last: an exception before it is a failed attempt, which is retried. Temporal ignores what the
  /// activity then returns.
  @SuppressWarnings("NullAway")
  private static StepResult completeLater() {
    Activity.getExecutionContext().doNotCompleteOnReturn();
    return null;
  }
}
