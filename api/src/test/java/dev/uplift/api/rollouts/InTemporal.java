package dev.uplift.api.rollouts;

import dev.uplift.api.server.LiveServer;
import io.temporal.api.sdk.v1.WorkflowMetadata;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionMetadata;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/// What somebody sees who looks into Temporal itself.
final class InTemporal implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final WorkflowServiceStubs service;
  private final WorkflowClient client;

  InTemporal(LiveServer live) {
    service =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder()
                .setTarget(live.stack().temporal().target())
                .build());
    client = WorkflowClient.newInstance(service);
  }

  /// The ids of workflows that a search finds, once it finds so many: it learns of them a moment
  /// later.
  List<String> of(String query, int count) {
    return Awaitility.await(query)
        .atMost(PATIENCE)
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
  String details(String workflow) {
    return Awaitility.await(workflow)
        .atMost(PATIENCE)
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
