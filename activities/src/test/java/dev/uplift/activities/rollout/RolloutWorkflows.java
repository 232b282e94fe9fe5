package dev.uplift.activities.rollout;

import dev.uplift.activities.temporal.RolloutWorkflowClient;
import dev.uplift.activities.temporal.TemporalClients;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.activities.temporal.UpgradeWorkflowClient.WorkflowStatus;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.RolloutId;
import dev.uplift.services.TestStacks;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeTimeouts;
import dev.uplift.workflows.rollout.RolloutInput;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.workflowservice.v1.ResetWorkflowExecutionRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// The workflows of rollouts and their upgrades in Temporal, with the operations of its own tools.
final class RolloutWorkflows {
  private final TemporalClients temporal;
  private final String namespace;

  RolloutWorkflows(TemporalClients temporal, String namespace) {
    this.temporal = temporal;
    this.namespace = namespace;
  }

  WorkflowStub workflow(RolloutId id) {
    return temporal.requestClient().newUntypedWorkflowStub(RolloutInput.workflowId(id.tenant(), id.name()));
  }

  /// Resets the workflow to its first task.
  void reset(RolloutId id) {
    WorkflowClient client = temporal.requestClient();
    String workflow = RolloutInput.workflowId(id.tenant(), id.name());
    long first =
        client.fetchHistory(workflow).getEvents().stream()
            .filter(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED)
            .findFirst()
            .orElseThrow()
            .getEventId();
    var _ =
        client
            .getWorkflowServiceStubs()
            .blockingStub()
            .resetWorkflowExecution(
                ResetWorkflowExecutionRequest.newBuilder()
                    .setNamespace(namespace)
                    .setWorkflowExecution(WorkflowExecution.newBuilder().setWorkflowId(workflow).build())
                    .setReason("a mistake was mended")
                    .setRequestId(UUID.randomUUID().toString())
                    .setWorkflowTaskFinishEventId(first)
                    .build());
  }

  int historyEvents(RolloutId id) {
    return temporal.requestClient().fetchHistory(RolloutInput.workflowId(id.tenant(), id.name())).getEvents().size();
  }

  RolloutWorkflowClient starter() {
    return new RolloutWorkflowClient(temporal, RolloutTestWorker.SHORT_TIMEOUTS);
  }

  /// Starts the marked devices, as a server that is killed before it can record it.
  void launchWithoutRecording(PassResult passResult) {
    for (TargetRow target : passResult.toStart()) {
      var device = new DeviceId(TestStacks.TENANT, target.device());
      UpgradePlan plan =
          new UpgradePlan(
              target.upgrade().orElseThrow(),
              device,
              List.of(new HostId(target.device() + "-left")),
              RolloutTestWorker.RELEASE,
              new UpgradePlan.Options(
                  RollbackScope.DEVICE,
                  false,
                  Duration.ZERO,
                  Instant.now().plus(RolloutTestWorker.TIMEOUT),
                  UpgradeTimeouts.DEFAULTS),
              UpgradePlan.Origin.rollout(passResult.row().id().name(), "rollout", false));
      var _ = new UpgradeWorkflowClient(temporal).start(plan);
    }
  }

  boolean hasEnded(TargetRow target) {
    return new UpgradeWorkflowClient(temporal)
            .workflowStatus(new DeviceId(TestStacks.TENANT, target.device()), target.upgrade().orElseThrow())
        instanceof WorkflowStatus.Completed;
  }

  /// Returns the newest run of each workflow.
  List<String> newestRunIds(List<TargetRow> targets) {
    return targets.stream()
        .map(target ->
            temporal
                .requestClient()
                .newUntypedWorkflowStub("upgrade/" + TestStacks.TENANT + "/" + target.device())
                .describe()
                .getExecution()
                .getRunId())
        .toList();
  }
}
