package dev.uplift.temporaldev.floor;

import io.temporal.activity.Activity;
import io.temporal.activity.ActivityInfo;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.ActivityCompletionClient;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/// Runs workflows that do nothing but wait for activities that are completed by id, which is how Uplift waits for
/// hosts. Arguments: address, namespace, the beginning of their ids, how many workflows, how many waits in each.
public final class BareWorkflows {
  private static final String TASK_QUEUE = "floor";
  private static final int MAX_IN_FLIGHT = 200;
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  private BareWorkflows() {}

  /// A workflow that waits.
  @WorkflowInterface
  public interface Waits {
    @WorkflowMethod(name = "BareWaits")
    void run(int waits);
  }

  /// What it waits for.
  @ActivityInterface
  public interface Answers {
    @ActivityMethod(name = "answer")
    void await(int number);
  }

  public static final class WaitsImpl implements Waits {
    private final Answers answers =
        Workflow.newActivityStub(Answers.class, ActivityOptions.newBuilder().setStartToCloseTimeout(TIMEOUT).build());

    @Override
    public void run(int waits) {
      for (int number = 0; number < waits; number++) {
        answers.await(number);
      }
    }
  }

  /// Answers each from another thread, by workflow and activity id.
  private record Answerer(ActivityCompletionClient client, ExecutorService threads) implements Answers {
    @Override
    public void await(int number) {
      ActivityInfo info = Activity.getExecutionContext().getInfo();
      String workflow = String.valueOf(info.getWorkflowId());
      Activity.getExecutionContext().doNotCompleteOnReturn();
      threads.execute(() -> client.complete(workflow, Optional.empty(), info.getActivityId(), null));
    }
  }

  public static void main(String[] args) {
    WorkflowServiceStubs service =
        WorkflowServiceStubs.newServiceStubs(WorkflowServiceStubsOptions.newBuilder().setTarget(args[0]).build());
    WorkflowClient client =
        WorkflowClient.newInstance(service, WorkflowClientOptions.newBuilder().setNamespace(args[1]).build());
    WorkerFactory factory = WorkerFactory.newInstance(client);
    Worker worker = factory.newWorker(TASK_QUEUE);
    worker.registerWorkflowImplementationTypes(WaitsImpl.class);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      worker.registerActivitiesImplementations(new Answerer(client.newActivityCompletionClient(), threads));
      factory.start();
      run(client, threads, args[2], Integer.parseInt(args[3]), Integer.parseInt(args[4]));
    }
    factory.shutdown();
    service.shutdown();
  }

  private static void run(WorkflowClient client, ExecutorService threads, String idPrefix, int workflows, int waits) {
    var inFlight = new Semaphore(MAX_IN_FLIGHT);
    for (int number = 0; number < workflows; number++) {
      inFlight.acquireUninterruptibly();
      WorkflowStub workflow =
          client.newUntypedWorkflowStub(
              "BareWaits",
              WorkflowOptions.newBuilder().setTaskQueue(TASK_QUEUE).setWorkflowId(idPrefix + number).build());
      threads.execute(() -> {
        var _ = workflow.start(waits);
        workflow.getResult(Void.class);
        inFlight.release();
      });
    }
    inFlight.acquireUninterruptibly(MAX_IN_FLIGHT);
  }
}
