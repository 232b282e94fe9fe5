package dev.uplift.api.rollouts;

import dev.uplift.api.testing.LiveServer;
import io.temporal.api.sdk.v1.WorkflowMetadata;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionMetadata;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/// Reads what Temporal itself shows.
final class TemporalInspector implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(90);

  private final WorkflowServiceStubs service;
  private final WorkflowClient client;

  TemporalInspector(LiveServer live) {
    service =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(live.stack().temporal().target()).build());
    client = WorkflowClient.newInstance(service);
  }

  /// Returns the ids of workflows that a query finds, once it finds that many, because the index lags behind.
  List<String> findWorkflows(String query, int count) {
    return Awaitility.await(query)
        .atMost(TIMEOUT)
        .until(
            () ->
                client
                    .listExecutions(query)
                    .map(WorkflowExecutionMetadata::getExecution)
                    .map(execution -> execution.getWorkflowId())
                    .toList(),
            found -> found.size() >= count);
  }

  /// Returns the current details of the workflow once they begin so, because the rows are ahead of the workflow.
  String currentDetails(String workflow, String beginning) {
    return Awaitility.await(workflow)
        .atMost(TIMEOUT)
        .until(
            () ->
                client
                    .newUntypedWorkflowStub(workflow)
                    .query("__temporal_workflow_metadata", WorkflowMetadata.class)
                    .getCurrentDetails(),
            details -> details.startsWith(beginning));
  }

  @Override
  public void close() {
    service.shutdownNow();
  }
}
