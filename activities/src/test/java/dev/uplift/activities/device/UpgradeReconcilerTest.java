package dev.uplift.activities.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.device.UpgradeReconciler.ReconciledTables;
import dev.uplift.activities.metrics.UpgradeMetrics;
import dev.uplift.activities.reconciler.FailingWorkflowMonitor;
import dev.uplift.activities.temporal.ActivityCompleter;
import dev.uplift.activities.temporal.RequestSeal;
import dev.uplift.activities.temporal.TemporalClients;
import dev.uplift.activities.temporal.TemporalSettings;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.activities.temporal.WorkflowTaskFailures;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.services.TestStacks;
import dev.uplift.services.messaging.LatestCommandStream;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.command.CommandKey;
import dev.uplift.store.command.CommandReport;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.CommandRow;
import dev.uplift.store.command.HeartbeatWaitRepository;
import dev.uplift.store.command.SignedCommand;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.store.reconciler.FailingWorkflowRepository;
import dev.uplift.store.reconciler.ReconcilerLeaseRepository;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeTimeouts;
import dev.uplift.workflows.device.UpgradeWorkflowOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueRequest;
import io.temporal.api.workflowservice.v1.PollActivityTaskQueueResponse;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.worker.WorkerFactory;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Open upgrades whose workflows Temporal does not know, and one whose step was given to a server that is frozen.
final class UpgradeReconcilerTest {
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now().minus(Duration.ofHours(1)));
  private final Stack stack = TestStacks.shared();
  private final UpgradeRepository upgrades;
  private final Database database;

  UpgradeReconcilerTest() {
    database = Database.open(DatabaseSettings.h2InMemory(), now::get);
    database.repository(TenantRepository.class).put(TestStacks.TENANT, "");
    upgrades = database.repository(UpgradeRepository.class);
  }

  @Test
  void oneServerAsksAboutSomeInEachRunAndTheNextOneContinuesThere() {
    int open = UpgradeReconciler.MIN_PER_RUN + 150;
    for (int i = 0; i < open; i++) {
      now.updateAndGet(time -> time.plusMillis(1));
      var device = new DeviceId(TestStacks.TENANT, "device-" + i);
      upgrades.createIfAbsent(new NewUpgrade("u-" + i, device, new Release("os", "1"), "ann", "", "run"));
    }
    try (database;
        TemporalClients temporal = temporal(stack.temporal().target());
        TemporalClients unreachable = temporal("127.0.0.1:1")) {
      UpgradeReconciler one = reconciler(temporal);
      UpgradeReconciler other = reconciler(temporal);

      one.run();
      other.run();

      assertThat(upgrades.countRunning()).isEqualTo(150);
      assertThat(isOpen("u-0")).isFalse();
      assertThat(isOpen("u-" + (open - 1))).isTrue();

      now.updateAndGet(time -> time.plus(INTERVAL.multipliedBy(2)));
      reconciler(unreachable).run();
      assertThat(upgrades.countRunning()).as("while Temporal is unavailable").isEqualTo(150);
      now.updateAndGet(time -> time.plus(INTERVAL.multipliedBy(2)));
      other.run();

      assertThat(upgrades.countRunning()).isZero();
    }
  }

  /// Only the test asks Temporal for steps, as a server that is frozen once it has been given one.
  @Test
  void aStepIsTakenFromAServerThatHasNotBegunItAndLeftWhereItsCommandIsPublished() throws Exception {
    DeviceId device = new DeviceId(TestStacks.TENANT, "frozen");
    upgrades.createIfAbsent(new NewUpgrade("u-1", device, new Release("os", "1"), "ann", "", "run"));
    try (database;
        TemporalClients temporal = temporal(stack.temporal().target())) {
      WorkflowClient client = temporal.requestClient();
      WorkerFactory workers = WorkerFactory.newInstance(client);
      workers.newWorker("frozen").registerWorkflowImplementationTypes(OneStepWorkflow.class);
      workers.start();
      OneStep workflow =
          client.newWorkflowStub(
              OneStep.class,
              WorkflowOptions.newBuilder()
                  .setWorkflowId(UpgradePlan.workflowId(device))
                  .setTaskQueue("frozen")
                  .setMemo(Map.of(UpgradeWorkflowOptions.UPGRADE_ID, "u-1"))
                  .build());
      WorkflowClient.start(workflow::run);
      UpgradeReconciler reconciler = reconciler(temporal, Duration.ofMillis(1));
      assertThat(pollStep(client).getAttempt()).isEqualTo(1);

      await().until(() -> attemptAfterRun(reconciler, client, device) == 2);

      publish(device, pollStep(client).getActivityId());
      assertThat(IntStream.range(0, 3).map(_ -> attemptAfterRun(reconciler, client, device)))
          .as("its command is published")
          .containsOnly(2);
      client.newUntypedWorkflowStub(UpgradePlan.workflowId(device)).terminate("the test is over");
      workers.shutdownNow();
    }
  }

  private int attemptAfterRun(UpgradeReconciler reconciler, WorkflowClient client, DeviceId device) {
    now.updateAndGet(time -> time.plus(INTERVAL));
    reconciler.run();
    return client
        .newUntypedWorkflowStub(UpgradePlan.workflowId(device))
        .describe()
        .getRawDescription()
        .getPendingActivities(0)
        .getAttempt();
  }

  private void publish(DeviceId device, String activityId) {
    CommandRepository commands = database.repository(CommandRepository.class);
    CommandRow row =
        commands.createIfAbsent(
            new CommandKey(device.tenant(), "u-1", new HostId("left"), Step.PREPARE, 1),
            new Release("os", "1"),
            new WaitingActivity(UpgradePlan.workflowId(device), activityId),
            basis -> new SignedCommand(basis.id(), "{}", "signed"));
    commands.record(List.of(CommandReport.published(device.tenant(), row.host(), row.id(), 1, Instant.now())));
  }

  private static PollActivityTaskQueueResponse pollStep(WorkflowClient client) {
    return client
        .getWorkflowServiceStubs()
        .blockingStub()
        .withDeadlineAfter(30, TimeUnit.SECONDS)
        .pollActivityTaskQueue(
            PollActivityTaskQueueRequest.newBuilder()
                .setNamespace(client.getOptions().getNamespace())
                .setTaskQueue(TaskQueue.newBuilder().setName("frozen"))
                .setIdentity("frozen server")
                .build());
  }

  /// A workflow with one step.
  @WorkflowInterface
  public interface OneStep {
    @WorkflowMethod
    void run();
  }

  public static final class OneStepWorkflow implements OneStep {
    @Override
    public void run() {
      Workflow.newUntypedActivityStub(UpgradeTimeouts.DEFAULTS.stepOptions(Duration.ofHours(1), "prepare"))
          .execute("Prepare", Void.class);
    }
  }

  private boolean isOpen(String upgrade) {
    return upgrades.find(TestStacks.TENANT, upgrade).orElseThrow().end().isEmpty();
  }

  private TemporalClients temporal(String target) {
    return new TemporalClients(
        new TemporalSettings(target, stack.temporal().namespace()),
        new RequestSeal("secret"),
        new SimpleMeterRegistry());
  }

  private UpgradeReconciler reconciler(TemporalClients temporal) {
    return reconciler(temporal, INTERVAL);
  }

  private UpgradeReconciler reconciler(TemporalClients temporal, Duration interval) {
    return new UpgradeReconciler(
        new ReconciledTables(
            upgrades,
            database.repository(CommandRepository.class),
            database.repository(HeartbeatWaitRepository.class),
            database.repository(ReconcilerLeaseRepository.class)),
        new UpgradeWorkflowClient(temporal),
        new ActivityCompleter(temporal),
        new LatestCommandStream(new NatsConnection(TestStacks.natsSettings(stack), InstantSource.system())),
        new FailingWorkflowMonitor(
            database.repository(FailingWorkflowRepository.class),
            new WorkflowTaskFailures(temporal),
            new SimpleMeterRegistry()),
        new UpgradeMetrics(new SimpleMeterRegistry()),
        interval);
  }
}
