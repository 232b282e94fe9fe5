package dev.uplift.workflows.device;

import static io.temporal.api.enums.v1.EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.Step;
import dev.uplift.workflows.StoredHistories;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import dev.uplift.workflows.device.procedure.DeviceUpgradeImpl;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/// An upgrade on a real Temporal server. The fleet is in memory and stores the answer to each command, like the tables.
@Timeout(240)
abstract class RealTemporalScenario {
  static final HostId LEFT = new HostId("left");
  static final Operator ANN = new Operator("ann", "wrong site");

  /// Shared by all tests; stopped with this JVM.
  static final RealTemporal TEMPORAL = new RealTemporal();

  final WorkflowClient client = TEMPORAL.client();
  final DeviceId device = new DeviceId("acme", "site-" + UUID.randomUUID());
  final FakeFleet fleet = new FakeFleet();
  final FakeDeviceRecords records = new FakeDeviceRecords();
  private final WorkerFactory workers = WorkerFactory.newInstance(client);
  Duration time = Duration.ofMinutes(10);
  Duration step = Duration.ofSeconds(30);

  @BeforeEach
  void startWorker() {
    fleet.host("left").needsReboot().goesOnTrial();
    Worker worker = workers.newWorker(device.name(), StoredHistories.PATIENT);
    worker.registerWorkflowImplementationTypes(DeviceUpgradeImpl.class);
    worker.registerActivitiesImplementations(fleet, records);
    workers.start();
  }

  @AfterEach
  void everyHistoryReplays() throws Exception {
    workers.shutdownNow();
    workers.awaitTermination(10, TimeUnit.SECONDS);
    StoredHistoriesTest.STORED.replay(client.fetchHistory(UpgradePlan.workflowId(device)));
  }

  static FakeFleet.ScriptedAnswer atFirst(FakeFleet.ScriptedAnswer scriptedAnswer) {
    return (stepRequest, host) ->
        stepRequest.generation() == 1 && stepRequest.targetVersion().equals("1.5.0")
            ? scriptedAnswer.answer(stepRequest, host)
            : host.execute(stepRequest);
  }

  /// Starts an upgrade and returns its deadline.
  Instant start(String... hosts) {
    Instant notAfter = Instant.now().plus(time);
    UpgradePlan plan =
        new UpgradePlan(
            "u-1",
            device,
            Arrays.stream(hosts).map(HostId::new).toList(),
            new Release("os", "1.5.0"),
            new UpgradePlan.Options(RollbackScope.DEVICE, false, Duration.ZERO, notAfter, timeouts()),
            new UpgradePlan.Origin("ann", false, Optional.empty()));
    WorkflowOptions options = UpgradeWorkflowOptions.of(plan).toBuilder().setTaskQueue(device.name()).build();
    WorkflowClient.start(client.newWorkflowStub(DeviceUpgrade.class, options)::run, plan);
    return notAfter;
  }

  private UpgradeTimeouts timeouts() {
    return new UpgradeTimeouts(
        Arrays.stream(Step.values()).collect(Collectors.toMap(each -> each, _ -> step)),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2));
  }

  DeviceUpgrade running() {
    return client.newWorkflowStub(DeviceUpgrade.class, UpgradePlan.workflowId(device));
  }

  WorkflowStub workflow() {
    return client.newUntypedWorkflowStub(UpgradePlan.workflowId(device));
  }

  UpgradeResult result() throws Exception {
    try {
      return workflow().getResult(90, TimeUnit.SECONDS, UpgradeResult.class);
    } catch (WorkflowFailedException failed) {
      return UpgradeResult.ofFailure(failed.getCause()).orElseThrow(() -> failed);
    }
  }

  List<HistoryEvent> history() {
    return client.fetchHistory(UpgradePlan.workflowId(device)).getEvents();
  }

  void awaitWait(UpgradeWaitReason reason) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> running().status().waits().stream().anyMatch(pendingWait -> pendingWait.reason() == reason));
  }

  long firstTask() {
    return history().stream()
        .filter(event -> event.getEventType() == EVENT_TYPE_WORKFLOW_TASK_COMPLETED)
        .findFirst()
        .orElseThrow()
        .getEventId();
  }
}
