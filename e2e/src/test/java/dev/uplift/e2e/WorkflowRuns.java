package dev.uplift.e2e;

import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.stack.Stack;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/// Queries the runs in Temporal.
final class WorkflowRuns implements AutoCloseable {
  private final WorkflowServiceStubs temporal;
  private final WorkflowClient client;

  WorkflowRuns(Stack stack) {
    temporal =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(stack.temporal().target()).build());
    client = WorkflowClient.newInstance(temporal);
  }

  /// Returns the number of runs of each upgrade workflow of the package, once there are that many workflows.
  Map<String, Long> ofUpgrades(String packageName, int workflows) {
    return await("runs of " + workflows + " workflows")
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> counts("WorkflowType = 'DeviceUpgrade' AND Package = '" + packageName + "'"),
            runs -> runs.size() >= workflows);
  }

  /// Blocks until the newest run of the workflow has ended.
  void awaitEndOf(String workflowId) {
    try {
      var _ = client.newUntypedWorkflowStub(workflowId).getResult(2, TimeUnit.MINUTES, Object.class);
    } catch (TimeoutException e) {
      throw new AssertionError(workflowId + " has not ended", e);
    }
  }

  /// Returns whether the workflow exists and has not ended.
  boolean isRunning(String workflowId) {
    try {
      return client.newUntypedWorkflowStub(workflowId).describe().getStatus()
          == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
    } catch (WorkflowNotFoundException _) {
      return false;
    }
  }

  /// Ends the newest run of the workflow, as `temporal workflow terminate` does.
  void terminate(String workflowId) {
    client.newUntypedWorkflowStub(workflowId).terminate("by a test");
  }

  /// Returns the number of events of the rollout's workflow.
  long eventsOf(String rollout) {
    return client.fetchHistory("rollout/" + SimulatedFleet.TENANT + "/" + rollout).getEvents().size();
  }

  private Map<String, Long> counts(String query) {
    return client
        .listExecutions(query)
        .collect(Collectors.groupingBy(run -> run.getExecution().getWorkflowId(), TreeMap::new, Collectors.counting()));
  }

  @Override
  public void close() {
    temporal.shutdownNow();
  }
}
