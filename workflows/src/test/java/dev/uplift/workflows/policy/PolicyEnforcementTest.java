package dev.uplift.workflows.policy;

import static io.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.workflows.Payloads;
import dev.uplift.workflows.SearchAttributeKeys;
import dev.uplift.workflows.StoredHistories;
import dev.uplift.workflows.TaskQueues;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Policies on the test server with skipped time. Every history is replayed.
@Timeout(110)
final class PolicyEnforcementTest {
  private static final PolicyInput INPUT = new PolicyInput("acme", "north", "os");
  private static final Instant NO_TIME = Instant.EPOCH;

  private final TestWorkflowEnvironment environment =
      TestWorkflowEnvironment.newInstance(
          TestEnvironmentOptions.newBuilder().setWorkflowClientOptions(Payloads.clientOptions()).build());
  private final WorkflowClient client = environment.getWorkflowClient();
  private final FakePolicySteps steps = new FakePolicySteps();
  private String firstRun = "";

  @BeforeEach
  void start() {
    SearchAttributeKeys.ALL.forEach(
        key -> environment.registerSearchAttribute(key.getName(), INDEXED_VALUE_TYPE_KEYWORD));
    Worker worker = environment.newWorker(TaskQueues.ROLLOUT, StoredHistories.PATIENT);
    worker.registerWorkflowImplementationTypes(PolicyEnforcementImpl.class);
    worker.registerActivitiesImplementations(steps);
    environment.start();
  }

  @AfterEach
  void everyHistoryReplays() throws Exception {
    try (environment) {
      StoredPoliciesTest.STORED.replay(history());
    }
  }

  @Test
  void aDisabledPolicyStopsWhatItHasBegunAndItsWorkflowCompletes() {
    after(
        Duration.ofMinutes(10),
        () -> {
          steps.disable();
          policy().recheck();
        });

    run();

    assertThat(steps.calls).containsExactly("all", "all, disabled");
    assertThat(policy().report()).map(PolicyReport::enabled).contains(false);
    StoredPoliciesTest.STORED.keep("disabled", history());
  }

  @Test
  void aDeviceThatChangedIsLookedAtAloneAndTheDueOneAtItsTime() {
    Instant due = now().plus(Duration.ofMinutes(30));
    steps.nextChange(due);
    after(Duration.ofMinutes(10), () -> policy().recheckDevices(List.of("store-2")));
    after(
        Duration.ofMinutes(40),
        () -> {
          steps.disable();
          policy().recheck();
        });

    run();

    assertThat(steps.calls).containsExactly("all", "store-2", "all", "all, disabled");
    assertThat(steps.times.get(2)).isBetween(due, due.plusSeconds(5));
    StoredPoliciesTest.STORED.keep("devices-and-timer", history());
  }

  @Test
  void manyChangesAtTheSameTimeAreOneLook() {
    after(Duration.ofMinutes(1), () -> IntStream.range(0, 20).forEach(i -> changed("store-" + i % 3)));
    after(Duration.ofMinutes(2), this::disableAndRecheck);

    run();

    assertThat(steps.calls).containsExactly("all", "store-0, store-1, store-2", "all, disabled");
  }

  @Test
  void ofManyDevicesAllAreLookedAt() {
    after(
        Duration.ofMinutes(1),
        () ->
            policy()
                .recheckDevices(IntStream.range(0, PolicyTimeouts.MAX_DEVICES + 1).mapToObj(i -> "d" + i).toList()));
    after(Duration.ofMinutes(2), this::disableAndRecheck);

    run();

    assertThat(steps.calls).containsExactly("all", "all", "all, disabled");
  }

  @Test
  void aSignalThatWasLostIsMadeUpForWithinTheHour() {
    after(Duration.ofHours(3).plusMinutes(1), this::disableAndRecheck);

    run();

    assertThat(steps.calls).containsExactly("all", "all", "all", "all", "all, disabled");
  }

  @Test
  void aRunThatIsAskedForIsOneLookAtAllDevices() {
    after(
        Duration.ofMinutes(10),
        () -> {
          policy().beginRun();
          changed("store-2");
        });
    after(Duration.ofMinutes(20), this::disableAndRecheck);

    run();

    assertThat(steps.calls).containsExactly("all", "run", "all, disabled");
    StoredPoliciesTest.STORED.keep("run", history());
  }

  @Test
  void aLookThatFailsIsRepeated() {
    steps.failNext(3);
    after(Duration.ofMinutes(10), this::disableAndRecheck);

    run();

    assertThat(steps.calls).containsExactly("failed", "failed", "failed", "all", "all, disabled");
  }

  @Test
  @Timeout(900)
  void theHistoryOfASimulatedYearIsBounded() {
    after(Duration.ofDays(365), this::disableAndRecheck);

    run();

    // One an hour, and one at the beginning of each run of the workflow.
    int hours = 365 * 24;
    assertThat(steps.calls).hasSizeBetween(hours, hours + hours / PolicyEnforcementImpl.MAX_LOOKS + 5);
    WorkflowExecutionHistory first = client.fetchHistory(workflowId(), firstRun);
    assertThat(first.getLastEvent().getEventType()).isEqualTo(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW);
    assertThat(first.getEvents()).hasSizeLessThan(15 * PolicyEnforcementImpl.MAX_LOOKS);
  }

  private void disableAndRecheck() {
    steps.disable();
    policy().recheck();
  }

  private void changed(String device) {
    policy().recheckDevices(List.of(device));
  }

  private void run() {
    PolicyEnforcement workflow = client.newWorkflowStub(PolicyEnforcement.class, INPUT.workflowOptions());
    firstRun = WorkflowClient.start(workflow::run, INPUT).getRunId();
    WorkflowStub.fromTyped(policy()).getResult(Void.class);
  }

  private static String workflowId() {
    return PolicyInput.workflowId("acme", "north");
  }

  private PolicyEnforcement policy() {
    return client.newWorkflowStub(PolicyEnforcement.class, workflowId());
  }

  private WorkflowExecutionHistory history() {
    return client.fetchHistory(workflowId());
  }

  private void after(Duration time, Runnable what) {
    environment.registerDelayedCallback(time, what);
  }

  private Instant now() {
    return Instant.ofEpochMilli(environment.currentTimeMillis());
  }

  /// Records what the workflow asks for.
  private final class FakePolicySteps implements PolicySteps {
    final List<String> calls = new CopyOnWriteArrayList<>();
    final List<Instant> times = new CopyOnWriteArrayList<>();
    private volatile boolean disabled;
    private volatile int failures;
    private volatile Instant nextChange = NO_TIME;

    void disable() {
      disabled = true;
    }

    void nextChange(Instant at) {
      nextChange = at;
    }

    void failNext(int times) {
      failures = times;
    }

    @Override
    public PolicyReport enforce(PolicyInput input) {
      return report("all");
    }

    @Override
    public PolicyReport run(PolicyInput input) {
      return report("run");
    }

    @Override
    public String requestRun(PolicyInput input) {
      throw new AssertionError("a policy asks for no run itself");
    }

    @Override
    public PolicyReport enforceOnDevices(PolicyInput input, List<String> devices) {
      return report(String.join(", ", devices));
    }

    private synchronized PolicyReport report(String what) {
      if (failures > 0) {
        failures--;
        calls.add("failed");
        throw ApplicationFailure.newFailure("the database is unavailable", "DatabaseUnavailable");
      }
      times.add(now());
      calls.add(disabled ? what + ", disabled" : what);
      Optional<Instant> next = Optional.of(nextChange).filter(at -> at.isAfter(now()));
      return disabled
          ? PolicyReport.disabled("stopped")
          : new PolicyReport(true, Map.of("satisfied", 3), "nothing to begin", next);
    }
  }
}
