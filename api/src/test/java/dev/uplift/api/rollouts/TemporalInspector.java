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

/// What somebody sees who looks into Temporal itself.
final class TemporalInspector implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(90);

  private final WorkflowServiceStubs service;
  private final WorkflowClient client;

  TemporalInspector(LiveServer live) {
    service =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder()
                .setTarget(live.stack().temporal().target())
                .build());
    client = WorkflowClient.newInstance(service);
  }

  /// The ids of workflows that a search finds, once it finds so many: it learns of them a moment
  /// later.
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

  /// What its page says first.
  String currentDetails(String workflow) {
    return Awaitility.await(workflow)
        .atMost(TIMEOUT)
        .until(
            () ->
                client
                    .newUntypedWorkflowStub(workflow)
                    .query("__temporal_workflow_metadata", WorkflowMetadata.class)
                    .getCurrentDetails(),
            details -> details.contains("wave"));
  }

  @Override
  public void close() {
    service.shutdownNow();
  }
}
