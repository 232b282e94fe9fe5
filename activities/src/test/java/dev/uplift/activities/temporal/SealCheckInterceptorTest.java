package dev.uplift.activities.temporal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.services.TestStacks;
import dev.uplift.temporaldev.stack.Stack;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// On a real Temporal, with a client of ours and one that has another secret.
final class SealCheckInterceptorTest {
  private static final String QUEUE = "seals";

  @WorkflowInterface
  public interface Countdown {
    @WorkflowMethod(name = "Countdown")
    String run(int start);

    @SignalMethod(name = "wake")
    void wake();
  }

  public static final class CountdownImpl implements Countdown {
    @Override
    public String run(int start) {
      if (Workflow.getInfo().getContinuedExecutionRunId().isEmpty()) {
        Workflow.continueAsNew(start);
      }
      return "continued with " + start;
    }

    @Override
    public void wake() {}
  }

  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void theNextRunOfASealedWorkflowIsSealedToo() throws Exception {
    try (Stack stack = TestStacks.open()) {
      stack.temporal().start();
      Queue<String> refused = new ConcurrentLinkedQueue<>();
      RequestSeal seal = new RequestSeal("ours");
      try (TemporalClients ours = clients(stack, seal);
          TemporalClients foreign = clients(stack, new RequestSeal("not ours"))) {
        WorkerFactory factory =
            WorkerFactory.newInstance(
                ours.workerClient(),
                WorkerFactoryOptions.newBuilder()
                    .setWorkerInterceptors(new SealCheckInterceptor(seal, (_, _, what) -> refused.add(what)))
                    .build());
        factory.newWorker(QUEUE).registerWorkflowImplementationTypes(CountdownImpl.class);
        factory.start();
        try {
          assertThat(run(ours, "sealed")).isEqualTo("continued with 3");
          assertThat(runWithSignal(ours, "signalled")).isEqualTo("continued with 3");
          assertThat(refused).isEmpty();

          assertThatThrownBy(() -> run(foreign, "foreign"))
              .isInstanceOf(WorkflowFailedException.class)
              .rootCause()
              .hasMessageContaining("the start of foreign does not come from a server of this installation");
          assertThat(refused).containsExactly("the start of foreign");
        } finally {
          factory.shutdownNow();
          factory.awaitTermination(10, TimeUnit.SECONDS);
        }
      }
    }
  }

  private static String run(TemporalClients clients, String id) {
    WorkflowStub workflow = workflow(clients, id);
    workflow.start(3);
    return workflow.getResult(String.class);
  }

  private static String runWithSignal(TemporalClients clients, String id) {
    WorkflowStub workflow = workflow(clients, id);
    workflow.signalWithStart("wake", new Object[0], new Object[] {3});
    return workflow.getResult(String.class);
  }

  private static WorkflowStub workflow(TemporalClients clients, String id) {
    return clients
        .requestClient()
        .newUntypedWorkflowStub(
            "Countdown", WorkflowOptions.newBuilder().setTaskQueue(QUEUE).setWorkflowId(id).build());
  }

  private static TemporalClients clients(Stack stack, RequestSeal seal) {
    return new TemporalClients(
        new TemporalSettings(stack.temporal().target(), stack.temporal().namespace()), seal, new SimpleMeterRegistry());
  }
}
