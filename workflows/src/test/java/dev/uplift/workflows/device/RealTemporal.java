package dev.uplift.workflows.device;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import dev.uplift.workflows.Payloads;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.workflowservice.v1.ResetWorkflowExecutionRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;

/// A Temporal server, with the operations of its tools on workflows. Stopped with this JVM.
final class RealTemporal {
  private final WorkflowServiceStubs service;
  private final WorkflowClient client;

  private final String target;

  RealTemporal() {
    Stack stack = TestServers.stack().temporalInMemory().open();
    stack.temporal().start();
    target = stack.temporal().target();
    service = connect(target);
    client = WorkflowClient.newInstance(service, Payloads.clientOptions());
  }

  /// Returns a connection by an address that leads to it.
  static WorkflowServiceStubs connect(String address) {
    WorkflowServiceStubsOptions options = WorkflowServiceStubsOptions.newBuilder().setTarget(address).build();
    return WorkflowServiceStubs.newConnectedServiceStubs(options, Duration.ofSeconds(10));
  }

  WorkflowClient client() {
    return client;
  }

  int port() {
    return URI.create("grpc://" + target).getPort();
  }

  /// Resets a workflow, like `temporal workflow reset --event-id`.
  void reset(String workflowId, long task) {
    service
        .blockingStub()
        .resetWorkflowExecution(
            ResetWorkflowExecutionRequest.newBuilder()
                .setNamespace(client.getOptions().getNamespace())
                .setWorkflowExecution(WorkflowExecution.newBuilder().setWorkflowId(workflowId))
                .setReason("for the test")
                .setWorkflowTaskFinishEventId(task)
                .setRequestId(UUID.randomUUID().toString())
                .build());
  }
}
