package dev.uplift.workflows.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.plan.Gate;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import dev.uplift.workflows.Payloads;
import dev.uplift.workflows.StoredHistories;
import dev.uplift.workflows.TaskQueues;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowClient;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// On a real server, which suggests to continue as new once a history is long; here, soon.
@Timeout(240)
final class LongRolloutTest {
  private static final int LONG = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final RolloutTimeouts SHORT_HEARTBEATS =
      new RolloutTimeouts(Duration.ofHours(1), Duration.ofSeconds(2), Duration.ofHours(1));
  private static final RolloutInput START =
      new RolloutInput("acme", "long", new Release("os", "1.5.0"), SHORT_HEARTBEATS);
  private static final String WORKFLOW = RolloutInput.workflowId("acme", "long");

  @Test
  void continuesAsNewWithTheSameStateAndActions() throws Exception {
    FakeRolloutActivities fleet = new FakeRolloutActivities(Instant::now);
    for (int wave = 1; wave < 9; wave++) {
      fleet.wave(1);
    }
    fleet.wave(1, WaveSpec.of(new WaveSize.Rest()).withGate(new Gate.Approval()));
    onShortHistories(fleet, client -> continuesAsNew(client, fleet));
  }

  @Test
  void signalsDuringAStepThatLastsLongEndItSoThatItContinuesAsNew() throws Exception {
    FakeRolloutActivities fleet = new FakeRolloutActivities(Instant::now).wave(1).worksUntilCancelled();
    onShortHistories(
        fleet,
        client -> {
          String first = start(client);
          Rollout rollout = client.newWorkflowStub(Rollout.class, WORKFLOW);
          await().atMost(PATIENCE).until(() -> fleet.calls.contains("upgrade-wave"));

          for (int signal = 0; signal < 2 * LONG; signal++) {
            rollout.recheck();
          }

          assertThat(client.newUntypedWorkflowStub(WORKFLOW).getResult(RolloutResult.class).outcome())
              .isEqualTo(RolloutOutcome.UPGRADED);
          WorkflowExecutionHistory history = client.fetchHistory(WORKFLOW, first);
          assertThat(history.getLastEvent().getEventType())
              .isEqualTo(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW);
          StoredRolloutsTest.STORED.replay(history);
        });
  }

  @Test
  void actionsDuringAStepThatLastsLongDoNotLockOutLaterOnes() throws Exception {
    FakeRolloutActivities fleet = new FakeRolloutActivities(Instant::now).wave(1).worksUntilCancelled();
    fleet.wave(1, WaveSpec.of(new WaveSize.Rest()).withGate(new Gate.Approval()));
    onShortHistories(
        fleet,
        client -> {
          String first = start(client);
          Rollout rollout = client.newWorkflowStub(Rollout.class, WORKFLOW);
          await().atMost(PATIENCE).until(() -> fleet.calls.contains("upgrade-wave"));

          for (int action = 0; action < 2 * LONG; action++) {
            RolloutAction withoutReason = RolloutAction.of("refused-" + action, OperatorAction.RESUME, "bob", "");
            assertThat(rollout.applyAction(withoutReason).applied()).isFalse();
          }

          WorkflowExecutionHistory history =
              await()
                  .atMost(PATIENCE)
                  .until(() -> client.fetchHistory(WORKFLOW, first), LongRolloutTest::isContinuedAsNew);
          StoredRolloutsTest.STORED.replay(history);
          assertThat(rollout.applyAction(RolloutAction.of("pause", OperatorAction.PAUSE, "bob", "storm")).applied())
              .isTrue();
        });
  }

  private static boolean isContinuedAsNew(WorkflowExecutionHistory history) {
    return history.getLastEvent().getEventType() == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW;
  }

  private interface Scenario {
    void run(WorkflowClient client) throws Exception;
  }

  private static void onShortHistories(FakeRolloutActivities fleet, Scenario scenario) throws Exception {
    try (Stack stack = TestServers.stack().temporalInMemory().open()) {
      stack.temporal().suggestContinueAsNewAfter(LONG).start();
      WorkflowServiceStubs service =
          WorkflowServiceStubs.newConnectedServiceStubs(
              WorkflowServiceStubsOptions.newBuilder().setTarget(stack.temporal().target()).build(), PATIENCE);
      WorkflowClient client = WorkflowClient.newInstance(service, Payloads.clientOptions());
      WorkerFactory workers = WorkerFactory.newInstance(client);
      try {
        Worker worker = workers.newWorker(TaskQueues.ROLLOUT, StoredHistories.PATIENT);
        worker.registerWorkflowImplementationTypes(RolloutImpl.class);
        worker.registerActivitiesImplementations(fleet);
        workers.start();

        scenario.run(client);
      } finally {
        workers.shutdownNow();
        service.shutdownNow();
      }
    }
  }

  private static String start(WorkflowClient client) {
    return WorkflowClient.start(client.newWorkflowStub(Rollout.class, START.workflowOptions())::run, START).getRunId();
  }

  private static void continuesAsNew(WorkflowClient client, FakeRolloutActivities fleet) throws Exception {
    String first = start(client);
    Rollout rollout = client.newWorkflowStub(Rollout.class, WORKFLOW);
    await()
        .atMost(PATIENCE)
        .until(() -> rollout.status().filter(now -> now.state() == RolloutState.WAITING_APPROVAL).isPresent());

    WorkflowExecutionHistory history = client.fetchHistory(WORKFLOW, first);
    assertThat(history.getLastEvent().getEventType())
        .isEqualTo(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW);
    StoredRolloutsTest.STORED.replay(history);
    StoredRolloutsTest.STORED.keep("continued-as-new", history);
    assertThat(rollout.applyAction(RolloutAction.of("1", OperatorAction.PAUSE, "bob", "storm")).applied()).isTrue();
    assertThat(rollout.applyAction(RolloutAction.of("2", OperatorAction.ABORT, "bob", "enough")).applied()).isTrue();
    assertThatThrownBy(() -> client.newUntypedWorkflowStub(WORKFLOW).getResult(RolloutResult.class))
        .hasRootCauseMessage("message='bob', type='aborted', nonRetryable=true");
    assertThat(fleet.actions).hasSize(2);
  }
}
