package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.services.TestStacks;
import dev.uplift.store.reconciler.FailingWorkflow;
import dev.uplift.workflows.rollout.ActionResult;
import dev.uplift.workflows.rollout.Rollout;
import dev.uplift.workflows.rollout.RolloutAction;
import dev.uplift.workflows.rollout.RolloutInput;
import dev.uplift.workflows.rollout.RolloutResult;
import dev.uplift.workflows.rollout.RolloutStatus;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.worker.WorkerFactory;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// A workflow whose task fails again and again stands still, although Temporal says that it runs.
final class FailingWorkflowTest extends RolloutScenario {
  private static final String QUEUE = "broken";

  /// True while the worker has the broken version of the workflow.
  private static volatile boolean broken = true;

  /// Fails its task until it is mended.
  public static final class BrokenRollout implements Rollout {
    @Override
    public RolloutResult run(RolloutInput input) {
      if (broken) {
        throw new IllegalStateException("no such step");
      }
      return new RolloutResult(RolloutOutcome.UPGRADED, "mended");
    }

    @Override
    public ActionResult applyAction(RolloutAction action) {
      return new ActionResult(false, "broken");
    }

    @Override
    public void validateAction(RolloutAction action) {
      // Nothing is refused.
    }

    @Override
    public void recheck() {
      // Nothing waits.
    }

    @Override
    public Optional<RolloutStatus> status() {
      return Optional.empty();
    }
  }

  @Test
  void workflowThatFailsIsListedByTheReconcilerUntilItIsMended(TestInfo info) {
    RolloutId id = worker.create(inOneWave(fleet(info, 1), 1));
    WorkerFactory workers = WorkerFactory.newInstance(worker.temporal().workerClient());
    workers.newWorker(QUEUE).registerWorkflowImplementationTypes(BrokenRollout.class);
    workers.start();
    try {
      start(id);

      await()
          .atMost(RolloutTestWorker.TIMEOUT)
          .until(() -> {
            worker.runReconciler();
            return failing(id).isPresent();
          });
      assertThat(failing(id).orElseThrow().describe())
          .startsWith("its workflow does not continue: its task has failed ")
          .endsWith(": no such step");
      assertThat(worker.countFailingWorkflows()).isEqualTo(1);

      broken = false;

      await().atMost(RolloutTestWorker.TIMEOUT).until(() -> worker.countFailingWorkflows() == 0);
      assertThat(failing(id)).isEmpty();
    } finally {
      workers.shutdownNow();
    }
  }

  private static void start(RolloutId id) {
    var input = new RolloutInput(id.tenant(), id.name(), RolloutTestWorker.RELEASE, RolloutTestWorker.SHORT_TIMEOUTS);
    WorkflowOptions options = WorkflowOptions.newBuilder(input.workflowOptions()).setTaskQueue(QUEUE).build();
    var _ = WorkflowClient.start(worker.temporal().requestClient().newWorkflowStub(Rollout.class, options)::run, input);
  }

  private static Optional<FailingWorkflow> failing(RolloutId id) {
    return worker.failingWorkflows().find(TestStacks.TENANT, RolloutInput.workflowId(id.tenant(), id.name()));
  }
}
