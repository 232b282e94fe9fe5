package dev.uplift.activities.temporal;

import static io.temporal.api.enums.v1.WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;

import dev.uplift.activities.temporal.UpdateResult.Completed;
import dev.uplift.activities.temporal.UpdateResult.NotRunning;
import dev.uplift.activities.temporal.UpdateResult.Rejected;
import dev.uplift.activities.temporal.UpgradeWorkflowClient.StartResult.AlreadyRunning;
import dev.uplift.activities.temporal.UpgradeWorkflowClient.StartResult.DeviceBusy;
import dev.uplift.activities.temporal.UpgradeWorkflowClient.StartResult.Started;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.UpgradeAction;
import dev.uplift.fleet.UpgradeAction.Abort;
import dev.uplift.fleet.UpgradeAction.Approve;
import dev.uplift.fleet.UpgradeAction.Deny;
import dev.uplift.fleet.UpgradeAction.ExtendDeadline;
import dev.uplift.fleet.UpgradeAction.Pause;
import dev.uplift.fleet.UpgradeAction.Resume;
import dev.uplift.fleet.UpgradeAction.RetryStep;
import dev.uplift.fleet.UpgradeAction.SkipHost;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.workflows.device.DeviceUpgrade;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.DeviceUpgrade.ProceedSignal;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeResult;
import dev.uplift.workflows.device.UpgradeStatus;
import dev.uplift.workflows.device.UpgradeWorkflowOptions;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.enums.v1.PendingActivityState;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowExecutionDescription;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowQueryException;
import io.temporal.client.WorkflowTargetOptions;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.failure.ApplicationFailure;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/// Starts the workflows of upgrades, queries, updates and signals them, and reads how they ended. Each call names the
/// upgrade and reaches its run only, never that of the next upgrade of its device. All throw [TemporalUnavailable] if
/// it is unknown whether Temporal did what was asked.
@Singleton
public final class UpgradeWorkflowClient {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
  private static final int MAX_START_ATTEMPTS = 10;

  private final WorkflowClient client;

  public UpgradeWorkflowClient(TemporalClients temporal) {
    this.client = temporal.requestClient();
  }

  /// The result of starting an upgrade.
  public sealed interface StartResult {
    /// It runs from now on.
    record Started(String runId) implements StartResult {}

    /// An upgrade of this id was started before and runs; [#plan] says which.
    record AlreadyRunning(String runId) implements StartResult {}

    /// Another upgrade of the device runs.
    record DeviceBusy(String upgrade) implements StartResult {}
  }

  /// The state of the workflow of an upgrade.
  public sealed interface WorkflowStatus {
    /// It has not ended.
    ///
    /// @param failing whether it does not continue, because its task fails again and again: [WorkflowTaskFailures]
    /// @param activities that a server was given
    record Running(boolean failing, List<StartedActivity> activities) implements WorkflowStatus {
      public Running {
        activities = List.copyOf(activities);
      }
    }

    /// It ended with this result, whether its workflow completed or failed.
    record Completed(UpgradeResult result) implements WorkflowStatus {}

    /// It ended without a result.
    ///
    /// @param code a fixed word: `terminated`, `cancelled`, `failed`, `workflow-not-found`
    /// @param text for people
    record Lost(String code, String text) implements WorkflowStatus {}
  }

  /// An activity that has begun and not ended.
  ///
  /// @param since when a server was given its newest attempt
  /// @param server the identity of that server
  public record StartedActivity(WaitingActivity activity, Instant since, String server) {}

  /// One run of the workflow of a device.
  private record Run(
      String upgrade, WorkflowTargetOptions target, WorkflowExecutionStatus status, WorkflowStatus.Running running) {
    String runId() {
      return Objects.requireNonNull(target.getRunId());
    }
  }

  /// Starts the upgrade. The workflow comes first, and its first activity writes the row unless it is there: no upgrade
  /// runs without one. Safe to repeat: the same upgrade id is the same upgrade. One that has ended by now runs again,
  /// finds how it ended, and does nothing.
  public StartResult start(UpgradePlan plan) {
    return start(plan, UUID.randomUUID().toString());
  }

  /// [#start(UpgradePlan)] for a decision that several servers may carry out, one of them long after the others: an
  /// upgrade that was started with this request id and has ended is not run again, unless another upgrade of the device
  /// has run since. It is [Started] with the run that it had.
  ///
  /// @param requestId the same for each repetition, and never used for another start
  public StartResult start(UpgradePlan plan, String requestId) {
    WorkflowOptions options = UpgradeWorkflowOptions.of(plan).toBuilder().setRequestId(requestId).build();
    return TemporalClients.call(() ->
        Stream.generate(() -> tryStart(plan, options))
            .limit(MAX_START_ATTEMPTS)
            .flatMap(Optional::stream)
            .findFirst()
            .orElseThrow(() ->
                new TemporalUnavailable("other upgrades of %s begin and end meanwhile".formatted(plan.device()))));
  }

  /// Empty if another upgrade of the device ran when it was started, and had ended when it was looked for.
  private Optional<StartResult> tryStart(UpgradePlan plan, WorkflowOptions options) {
    try {
      DeviceUpgrade workflow = client.newWorkflowStub(DeviceUpgrade.class, options);
      return Optional.of(new Started(WorkflowClient.start(workflow::run, plan).getRunId()));
    } catch (WorkflowExecutionAlreadyStarted _) {
      return findOpen(plan.device())
          .map(run ->
              run.upgrade().equals(plan.upgrade()) ? new AlreadyRunning(run.runId()) : new DeviceBusy(run.upgrade()));
    }
  }

  /// Returns the plan that a run was started with.
  public UpgradePlan plan(DeviceId device, String runId) {
    return TemporalClients.call(() -> {
      try (Stream<HistoryEvent> history = client.streamHistory(UpgradePlan.workflowId(device), runId)) {
        Payloads input = history.findFirst().orElseThrow().getWorkflowExecutionStartedEventAttributes().getInput();
        return Objects.requireNonNull(
            client
                .getOptions()
                .getDataConverter()
                .fromPayloads(0, Optional.of(input), UpgradePlan.class, UpgradePlan.class));
      }
    });
  }

  /// Blocks until the workflow of the upgrade has closed, a few seconds at most: the records have the end of an upgrade
  /// a moment before Temporal does.
  public void awaitClosed(DeviceId device, String upgrade) {
    TemporalClients.call(() -> findOpen(device, upgrade).map(this::awaitClosed));
  }

  private boolean awaitClosed(Run run) {
    try {
      var _ =
          client
              .newUntypedWorkflowStub(run.target())
              .getResult(CLOSE_TIMEOUT.toSeconds(), TimeUnit.SECONDS, UpgradeResult.class);
      return true;
    } catch (WorkflowFailedException _) {
      return true;
    } catch (TimeoutException _) {
      return false;
    }
  }

  /// Returns what the upgrade does and waits for; empty if it does not run.
  public Optional<UpgradeStatus> status(DeviceId device, String upgrade) {
    return TemporalClients.callWithTimeout(() ->
        findOpen(device, upgrade)
            .flatMap(run -> {
              try {
                return Optional.of(stub(run).status());
              } catch (WorkflowNotFoundException _) {
                return Optional.empty();
              } catch (WorkflowQueryException e) {
                throw TemporalClients.unavailable(e);
              }
            }));
  }

  /// Has the upgrade carry out the action, or refuse it.
  public UpdateResult update(DeviceId device, String upgrade, UpgradeAction action, Operator by) {
    return TemporalClients.callWithTimeout(() -> {
      try {
        return findOpen(device, upgrade)
            .<UpdateResult>map(run -> new Completed(update(stub(run), action, by)))
            .orElseGet(NotRunning::new);
      } catch (WorkflowNotFoundException _) {
        return new NotRunning();
      } catch (WorkflowUpdateException e) {
        return e.getCause() instanceof ApplicationFailure failure
            ? new Rejected(failure.getOriginalMessage())
            // It closed meanwhile.
            : new NotRunning();
      }
    });
  }

  private static String update(DeviceUpgrade workflow, UpgradeAction action, Operator by) {
    return switch (action) {
      case Abort() -> workflow.abort(by);
      case Pause() -> workflow.pause(by);
      case Resume() -> workflow.resume(by);
      case RetryStep(HostId host) -> workflow.retryStep(host, by);
      case SkipHost(HostId host) -> workflow.skipHost(host, by);
      case ExtendDeadline(Instant notAfter) -> workflow.extendDeadline(notAfter, by);
      case Approve _ -> workflow.approve(by);
      case Deny _ -> workflow.deny(by);
    };
  }

  /// Signals a prepared upgrade to proceed. Safe to repeat; does nothing if it does not run. Returns once Temporal has
  /// the signal: an upgrade without a worker delays no other.
  public void proceed(DeviceId device, String upgrade, ProceedSignal signal) {
    TemporalClients.call(() ->
        findOpen(device, upgrade)
            .map(run -> TemporalClients.signalIfRunning(() -> stub(run).proceed(signal)))
            .orElse(false));
  }

  /// Signals the upgrade of the device that its windows have changed. Does nothing if none runs.
  public void recheck(DeviceId device) {
    DeviceUpgrade workflow = client.newWorkflowStub(DeviceUpgrade.class, UpgradePlan.workflowId(device));
    var _ = TemporalClients.signalIfRunning(workflow::recheck);
  }

  /// Returns what became of the workflow of an upgrade that was started once.
  public WorkflowStatus workflowStatus(DeviceId device, String upgrade) {
    return TemporalClients.call(() ->
        findNewest(device)
            .map(run ->
                run.upgrade().equals(upgrade) ? workflowStatus(run) : notFound(", only a later one of the device"))
            .orElseGet(() -> notFound("")));
  }

  private static WorkflowStatus notFound(String addition) {
    return new WorkflowStatus.Lost("workflow-not-found", "Temporal no longer knows its workflow" + addition);
  }

  private WorkflowStatus workflowStatus(Run run) {
    return switch (run.status()) {
      case WORKFLOW_EXECUTION_STATUS_COMPLETED, WORKFLOW_EXECUTION_STATUS_FAILED -> ended(run);
      case WORKFLOW_EXECUTION_STATUS_TERMINATED -> new WorkflowStatus.Lost("terminated", describeTermination(run));
      case WORKFLOW_EXECUTION_STATUS_CANCELED ->
          new WorkflowStatus.Lost("cancelled", "cancelled in Temporal, and how it ended is not known");
      case WORKFLOW_EXECUTION_STATUS_TIMED_OUT ->
          new WorkflowStatus.Lost("failed", "its workflow timed out in Temporal");
      default -> run.running();
    };
  }

  /// An upgrade that did not reach what was wanted has failed with its result.
  private WorkflowStatus ended(Run run) {
    try {
      return new WorkflowStatus.Completed(client.newUntypedWorkflowStub(run.target()).getResult(UpgradeResult.class));
    } catch (WorkflowFailedException failed) {
      return UpgradeResult.ofFailure(failed.getCause())
          .<WorkflowStatus>map(WorkflowStatus.Completed::new)
          .orElseGet(() -> new WorkflowStatus.Lost("failed", "its workflow failed by a bug: " + failed.getCause()));
    }
  }

  private String describeTermination(Run run) {
    HistoryEvent last = client.fetchHistory(run.target().getWorkflowId(), run.runId()).getEvents().getLast();
    var attributes = last.getWorkflowExecutionTerminatedEventAttributes();
    String by = attributes.getIdentity().isEmpty() ? "" : " by " + attributes.getIdentity();
    String reason = attributes.getReason().isEmpty() ? "" : ": " + attributes.getReason();
    return "terminated in Temporal" + by + reason;
  }

  private Optional<Run> findOpen(DeviceId device, String upgrade) {
    return findOpen(device).filter(run -> run.upgrade().equals(upgrade));
  }

  private Optional<Run> findOpen(DeviceId device) {
    return findNewest(device).filter(run -> run.status() == WORKFLOW_EXECUTION_STATUS_RUNNING);
  }

  /// Returns the newest run that Temporal remembers, open or closed.
  private Optional<Run> findNewest(DeviceId device) {
    String workflowId = UpgradePlan.workflowId(device);
    try {
      WorkflowExecutionDescription found = client.newUntypedWorkflowStub(workflowId).describe();
      Object upgrade = found.getMemo(UpgradeWorkflowOptions.UPGRADE_ID, String.class);
      return Optional.of(
          new Run(
              Objects.toString(upgrade, ""),
              WorkflowTargetOptions.newBuilder()
                  .setWorkflowId(workflowId)
                  .setRunId(found.getExecution().getRunId())
                  .build(),
              found.getStatus(),
              running(workflowId, found.getRawDescription())));
    } catch (WorkflowNotFoundException _) {
      return Optional.empty();
    }
  }

  private static WorkflowStatus.Running running(String workflowId, DescribeWorkflowExecutionResponse workflow) {
    List<StartedActivity> started =
        workflow.getPendingActivitiesList().stream()
            .filter(pending -> pending.getState() == PendingActivityState.PENDING_ACTIVITY_STATE_STARTED)
            .map(pending ->
                new StartedActivity(
                    new WaitingActivity(workflowId, pending.getActivityId()),
                    Instant.ofEpochSecond(
                        pending.getLastStartedTime().getSeconds(), pending.getLastStartedTime().getNanos()),
                    pending.getLastWorkerIdentity()))
            .toList();
    return new WorkflowStatus.Running(WorkflowTaskFailures.isFailing(workflow), started);
  }

  private DeviceUpgrade stub(Run run) {
    return client.newWorkflowStub(DeviceUpgrade.class, run.target());
  }
}
