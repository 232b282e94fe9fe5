package dev.uplift.workflows.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.temporaldev.Stack;
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
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// On a real server, which proposes a new run once a history has become long. Here that is soon.
@Timeout(240)
final class LongRolloutTest {
  private static final int LONG = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final RolloutStart START =
      new RolloutStart("acme", "long", new Release("os", "1.5.0"), RolloutPace.USUAL);
  private static final String WORKFLOW = RolloutStart.workflowId("acme", "long");

  @Test
  void goesOnAsANewRunWhichIsTheSameRolloutAndIsSteeredAsBefore() throws Exception {
    try (Stack stack = Stack.temporary().temporalInMemory().open()) {
      stack.temporal().proposesNewRunAfter(LONG).start();
      WorkflowServiceStubs service =
          WorkflowServiceStubs.newConnectedServiceStubs(
              WorkflowServiceStubsOptions.newBuilder().setTarget(stack.temporal().target()).build(),
              PATIENCE);
      WorkflowClient client = WorkflowClient.newInstance(service, Payloads.clientOptions());
      WorkerFactory workers = WorkerFactory.newInstance(client);
      try {
        FakeFleet fleet = new FakeFleet(Instant::now);
        fleet.says(
            Collections.nCopies(8, FakeFleet.waits(Duration.ZERO, "soaks")).toArray(Tick[]::new));
        fleet.says(FakeFleet.waitsForSomebody("waits"));
        Worker worker = workers.newWorker(TaskQueues.ROLLOUT, StoredHistories.PATIENT);
        worker.registerWorkflowImplementationTypes(RolloutImpl.class);
        worker.registerActivitiesImplementations(fleet);
        workers.start();

        goesOnAsANewRun(client, fleet);
      } finally {
        workers.shutdownNow();
        service.shutdownNow();
      }
    }
  }

  private static void goesOnAsANewRun(WorkflowClient client, FakeFleet fleet) throws Exception {
    String first =
        WorkflowClient.start(client.newWorkflowStub(Rollout.class, START.options())::run, START)
            .getRunId();
    Rollout rollout = client.newWorkflowStub(Rollout.class, WORKFLOW);
    await().atMost(PATIENCE).until(() -> fleet.ticks.size() == 9);

    WorkflowExecutionHistory history = client.fetchHistory(WORKFLOW, first);
    assertThat(history.getLastEvent().getEventType())
        .isEqualTo(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW);
    StoredRolloutsTest.STORED.replay(history);
    StoredRolloutsTest.STORED.keep("continued-as-new", history);
    assertThat(rollout.steer(SteerWish.of("1", Steer.PAUSE, "bob", "storm")).done()).isTrue();
    assertThat(rollout.steer(SteerWish.of("2", Steer.ABORT, "bob", "enough")).done()).isTrue();
    assertThat(client.newUntypedWorkflowStub(WORKFLOW).getResult(RolloutEnding.class).outcome())
        .isEqualTo(RolloutOutcome.ABORTED);
    assertThat(fleet.wishes).hasSize(2);
  }
}
