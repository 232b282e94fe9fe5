package dev.uplift.workflows.policy;

import static io.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.workflows.Payloads;
import dev.uplift.workflows.SearchAttributeKeys;
import dev.uplift.workflows.StoredHistories;
import dev.uplift.workflows.TaskQueues;
import io.temporal.client.WorkflowClient;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The run that a schedule starts, on the test server with skipped time, and in stored histories.
@Timeout(110)
final class PolicyRunTest {
  private static final PolicyInput INPUT = new PolicyInput("acme", "north", "os");
  private static final StoredHistories STORED = new StoredHistories("policy-runs", PolicyRunImpl.class);

  static List<Path> histories() throws IOException {
    return STORED.all();
  }

  @Test
  void thePolicyIsAskedUntilItIsReached() throws Exception {
    TestEnvironmentOptions options =
        TestEnvironmentOptions.newBuilder().setWorkflowClientOptions(Payloads.clientOptions()).build();
    var steps = new UnreachableAtFirst();
    try (var environment = TestWorkflowEnvironment.newInstance(options)) {
      SearchAttributeKeys.ALL.forEach(
          key -> environment.registerSearchAttribute(key.getName(), INDEXED_VALUE_TYPE_KEYWORD));
      Worker worker = environment.newWorker(TaskQueues.ROLLOUT, StoredHistories.PATIENT);
      worker.registerWorkflowImplementationTypes(PolicyRunImpl.class);
      worker.registerActivitiesImplementations(steps);
      environment.start();
      WorkflowClient client = environment.getWorkflowClient();

      String done = client.newWorkflowStub(PolicyRun.class, INPUT.runOptions()).run(INPUT);

      assertThat(done).isEqualTo("the policy begins a run");
      assertThat(steps.calls).containsExactly("failed", "failed", "acme/north");
      WorkflowExecutionHistory history = client.fetchHistory(INPUT.runWorkflowId());
      STORED.keep("requested", history);
      STORED.replay(history);
    }
  }

  @ParameterizedTest
  @MethodSource("histories")
  void storedHistoryReplaysAlsoWhereItIsCutOff(Path file) throws Exception {
    WorkflowExecutionHistory history = StoredHistories.read(file);

    STORED.replay(history);
    STORED.replay(StoredHistories.cutOffAtEachTask(history).toArray(WorkflowExecutionHistory[]::new));
  }

  private static final class UnreachableAtFirst implements PolicySteps {
    private final List<String> calls = new CopyOnWriteArrayList<>();

    @Override
    public String requestRun(PolicyInput input) {
      if (calls.size() < 2) {
        calls.add("failed");
        throw ApplicationFailure.newFailure("the database is unavailable", "DatabaseUnavailable");
      }
      calls.add("%s/%s".formatted(input.tenant(), input.policy()));
      return "the policy begins a run";
    }

    @Override
    public PolicyReport enforce(PolicyInput input) {
      throw new AssertionError("not asked for");
    }

    @Override
    public PolicyReport run(PolicyInput input) {
      throw new AssertionError("not asked for");
    }

    @Override
    public PolicyReport enforceOnDevices(PolicyInput input, List<String> devices) {
      throw new AssertionError("not asked for");
    }
  }
}
