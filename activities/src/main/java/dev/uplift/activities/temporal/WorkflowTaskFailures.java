package dev.uplift.activities.temporal;

import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.failure.v1.Failure;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryReverseRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;

/// Finds out whether a workflow does not continue because its task fails again and again. Temporal says so nowhere but
/// in the description of that workflow.
@Singleton
public final class WorkflowTaskFailures {
  /// A task fails once or twice where a server is killed or overloaded.
  private static final int MAX_ATTEMPTS = 3;

  /// Temporal records only the first failure of a task; what follows it is not many.
  private static final int NEWEST_EVENTS = 20;

  private final WorkflowClient client;

  public WorkflowTaskFailures(TemporalClients temporal) {
    this.client = temporal.requestClient();
  }

  /// The failures of a task.
  ///
  /// @param since when it failed first
  /// @param error of that failure
  public record TaskFailure(int attempts, Instant since, String error) {}

  /// Empty if the workflow continues, has ended, or is not known.
  ///
  /// @throws TemporalUnavailable if that is not known now
  public Optional<TaskFailure> find(String workflowId) {
    return TemporalClients.call(() -> {
      try {
        DescribeWorkflowExecutionResponse found =
            client.newUntypedWorkflowStub(workflowId).describe().getRawDescription();
        return isFailing(found) ? Optional.of(failure(found)) : Optional.<TaskFailure>empty();
      } catch (WorkflowNotFoundException _) {
        return Optional.empty();
      }
    });
  }

  static boolean isFailing(DescribeWorkflowExecutionResponse workflow) {
    return workflow.hasPendingWorkflowTask() && workflow.getPendingWorkflowTask().getAttempt() > MAX_ATTEMPTS;
  }

  private TaskFailure failure(DescribeWorkflowExecutionResponse workflow) {
    int attempts = workflow.getPendingWorkflowTask().getAttempt() - 1;
    return newestFailure(workflow.getWorkflowExecutionInfo().getExecution())
        .map(event -> new TaskFailure(attempts, time(event), error(event)))
        .orElseGet(() -> new TaskFailure(attempts, Instant.now(), "Temporal has not recorded why"));
  }

  private Optional<HistoryEvent> newestFailure(WorkflowExecution run) {
    return client
        .getWorkflowServiceStubs()
        .blockingStub()
        .getWorkflowExecutionHistoryReverse(
            GetWorkflowExecutionHistoryReverseRequest.newBuilder()
                .setNamespace(client.getOptions().getNamespace())
                .setExecution(run)
                .setMaximumPageSize(NEWEST_EVENTS)
                .build())
        .getHistory()
        .getEventsList()
        .stream()
        .filter(event ->
            event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED
                || event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT)
        .findFirst();
  }

  private static Instant time(HistoryEvent event) {
    return Instant.ofEpochSecond(event.getEventTime().getSeconds(), event.getEventTime().getNanos());
  }

  /// The message of the exception that the workflow's code has thrown: what the SDK says around it is the same for all.
  private static String error(HistoryEvent event) {
    if (event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT) {
      return "no worker completed it in time";
    }
    Failure failure = event.getWorkflowTaskFailedEventAttributes().getFailure();
    while (failure.hasCause()) {
      failure = failure.getCause();
    }
    return failure.getMessage();
  }
}
