package dev.uplift.activities.host;

import static java.util.Objects.requireNonNull;

import dev.uplift.store.command.CommandRow;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.workflows.device.HostObservation;
import dev.uplift.workflows.device.HostSteps;
import dev.uplift.workflows.device.StepRequest;
import dev.uplift.workflows.device.StepResult;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityInfo;
import java.util.Optional;
import java.util.function.Function;

/// Sends the command for an order and lets go; the [EventConsumer] ends the wait, or for a heartbeat the
/// [HeartbeatAwaiter].
public final class HostStepsActivities implements HostSteps {
  private final CommandIssuer issuer;
  private final CommandPublisher publisher;
  private final HeartbeatAwaiter heartbeatAwaiter;
  private final HostObserver observer;

  HostStepsActivities(CommandIssuer issuer, CommandPublisher publisher, HeartbeatAwaiter heartbeatAwaiter, HostObserver observer) {
    this.issuer = issuer;
    this.publisher = publisher;
    this.heartbeatAwaiter = heartbeatAwaiter;
    this.observer = observer;
  }

  @Override
  public StepResult prepare(StepRequest stepRequest) {
    return runCommand(stepRequest);
  }

  @Override
  public StepResult upgrade(StepRequest stepRequest) {
    return runCommand(stepRequest);
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
    return runCommand(stepRequest);
  }

  @Override
  public StepResult inspect(StepRequest stepRequest) {
    return runCommand(stepRequest);
  }

  /// An agent that ends may not come to say so. Who then works is seen.
  @Override
  public StepResult stop(StepRequest stepRequest) {
    return runCommand(stepRequest, this::resultFromHeartbeats);
  }

  private StepResult runCommand(StepRequest stepRequest) {
    return runCommand(stepRequest, _ -> Optional.empty());
  }

  private StepResult runCommand(StepRequest stepRequest, Function<StepRequest, Optional<StepResult>> seen) {
    return StepFailureTranslator.callForCommand(() -> {
      CommandRow row = issuer.issue(stepRequest, currentActivity());
      Optional<StepResult> known = StepResultMapper.fromCommand(row).or(() -> seen.apply(stepRequest));
      if (known.isPresent()) {
        return known.get();
      }
      publisher.publish(stepRequest, row);
      return completeLater();
    });
  }

  @Override
  public StepResult awaitSuccessor(StepRequest stepRequest) {
    return awaitHost(stepRequest);
  }

  @Override
  public StepResult awaitHeartbeat(StepRequest stepRequest) {
    return awaitHost(stepRequest);
  }

  private StepResult awaitHost(StepRequest stepRequest) {
    return StepFailureTranslator.call(() -> resultFromHeartbeats(stepRequest).orElseGet(HostStepsActivities::completeLater));
  }

  /// What is seen up to now; from now on the [HeartbeatAwaiter] ends the wait, too.
  private Optional<StepResult> resultFromHeartbeats(StepRequest stepRequest) {
    return heartbeatAwaiter.register(observer.heartbeatWait(stepRequest, currentActivity()));
  }

  @Override
  public HostObservation observe(StepRequest stepRequest) {
    return StepFailureTranslator.call(() -> observer.observe(stepRequest));
  }

  @Override
  public void cancel(StepRequest stepRequest, StepRequest inWork) {
    StepFailureTranslator.call(() -> {
      Optional<CommandRow> cancel = issuer.issueCancel(stepRequest, inWork);
      cancel.ifPresent(row -> publisher.publish(stepRequest, row));
      return cancel;
    });
  }

  private static WaitingActivity currentActivity() {
    ActivityInfo info = Activity.getExecutionContext().getInfo();
    // Null only for an activity that no workflow has called.
    return new WaitingActivity(requireNonNull(info.getWorkflowId()), info.getActivityId());
  }

  /// To be called last: an exception before it is a failed attempt and is tried again. Temporal
  /// throws away what the activity then returns.
  @SuppressWarnings("NullAway")
  private static StepResult completeLater() {
    Activity.getExecutionContext().doNotCompleteOnReturn();
    return null;
  }
}
