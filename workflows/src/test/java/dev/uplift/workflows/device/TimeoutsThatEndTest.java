package dev.uplift.workflows.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Time-outs on the test server, one for each millisecond of a second: one of them ends at a whole second.
@Timeout(60)
public final class TimeoutsThatEndTest {
  private static final int MILLIS = 1000;

  @ActivityInterface
  public interface SilentHost {
    void answer();
  }

  @WorkflowInterface
  public interface Waits {
    @WorkflowMethod
    int run();
  }

  public static final class WaitsImpl implements Waits {
    /// Returns how many waits ended.
    @Override
    public int run() {
      List<Promise<Void>> waits =
          IntStream.range(0, MILLIS)
              .mapToObj(millis -> Duration.ofMillis(1500 + millis))
              .map(timeout -> ActivityOptions.newBuilder().setScheduleToCloseTimeout(timeout).build())
              .map(options -> Workflow.newActivityStub(SilentHost.class, options))
              .map(host -> Async.procedure(host::answer))
              .toList();
      waits.forEach(wait -> assertThat(wait.getFailure()).isInstanceOf(ActivityFailure.class));
      return waits.size();
    }
  }

  @Test
  void everyTimeoutEnds() {
    TestEnvironmentOptions options =
        TestEnvironmentOptions.newBuilder().setWorkflowServiceStubsOptions(TimeoutsThatEnd.OPTIONS).build();
    try (var environment = TestWorkflowEnvironment.newInstance(options)) {
      Worker worker = environment.newWorker("waits");
      worker.registerWorkflowImplementationTypes(WaitsImpl.class);
      worker.registerActivitiesImplementations(
          (SilentHost)
              () -> {
                throw new IllegalStateException("no answer");
              });
      environment.start();
      var workflowOptions = WorkflowOptions.newBuilder().setTaskQueue("waits").build();

      int ended = environment.getWorkflowClient().newWorkflowStub(Waits.class, workflowOptions).run();

      assertThat(ended).isEqualTo(MILLIS);
    }
  }
}
