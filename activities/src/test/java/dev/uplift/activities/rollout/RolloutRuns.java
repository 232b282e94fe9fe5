package dev.uplift.activities.rollout;

import dev.uplift.activities.TestServers;
import dev.uplift.activities.temporal.Fate;
import dev.uplift.activities.temporal.Fates;
import dev.uplift.activities.temporal.RolloutStarter;
import dev.uplift.activities.temporal.TemporalLink;
import dev.uplift.activities.temporal.UpgradeStarter;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Reach;
import dev.uplift.fleet.RolloutId;
import dev.uplift.store.TargetRow;
import dev.uplift.workflows.device.Pace;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.rollout.RolloutStart;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.workflowservice.v1.ResetWorkflowExecutionRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// The workflows of rollouts and their upgrades in Temporal, and what its own tools do to them.
final class RolloutRuns {
  private final TemporalLink temporal;
  private final String namespace;

  RolloutRuns(TemporalLink temporal, String namespace) {
    this.temporal = temporal;
    this.namespace = namespace;
  }

  WorkflowStub workflow(RolloutId id) {
    return temporal
        .requestClient()
        .newUntypedWorkflowStub(RolloutStart.workflowId(id.tenant(), id.name()));
  }

  /// From its first task on it goes all over again.
  void reset(RolloutId id) {
    WorkflowClient client = temporal.requestClient();
    String workflow = RolloutStart.workflowId(id.tenant(), id.name());
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
                    .setWorkflowExecution(
                        WorkflowExecution.newBuilder().setWorkflowId(workflow).build())
                    .setReason("a mistake was mended")
                    .setRequestId(UUID.randomUUID().toString())
                    .setWorkflowTaskFinishEventId(first)
                    .build());
  }

  RolloutStarter starter() {
    return new RolloutStarter(temporal, RolloutWorld.QUICK);
  }

  /// Starts those that it has marked and is killed before it can write that down.
  void launchAndDie(Passed passed) {
    for (TargetRow target : passed.toStart()) {
      var device = new DeviceId(TestServers.TENANT, target.device());
      UpgradePlan plan =
          new UpgradePlan(
                  target.upgrade().orElseThrow(),
                  device,
                  List.of(new HostId(target.device() + "-left")),
                  RolloutWorld.RELEASE,
                  Reach.DEVICE,
                  false,
                  "rollout",
                  false,
                  Duration.ZERO,
                  Instant.now().plus(RolloutWorld.PATIENCE),
                  Pace.USUAL)
              .partOf(passed.row().id().name());
      var _ = new UpgradeStarter(temporal).start(plan);
    }
  }

  boolean hasEnded(TargetRow target) {
    return new Fates(temporal)
            .of(new DeviceId(TestServers.TENANT, target.device()), target.upgrade().orElseThrow())
        instanceof Fate.Ended;
  }

  /// The newest run of the workflow of each.
  List<String> newest(List<TargetRow> targets) {
    return targets.stream()
        .map(target ->
            temporal
                .requestClient()
                .newUntypedWorkflowStub("upgrade/" + TestServers.TENANT + "/" + target.device())
                .describe()
                .getExecution()
                .getRunId())
        .toList();
  }
}
