package dev.uplift.workflows.barrier;

import static io.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.uplift.fleet.barrier.BarrierAction;
import dev.uplift.fleet.barrier.BarrierOutcome;
import dev.uplift.fleet.barrier.WhenNotHalted;
import dev.uplift.workflows.Payloads;
import dev.uplift.workflows.SearchAttributeKeys;
import dev.uplift.workflows.StoredHistories;
import dev.uplift.workflows.TaskQueues;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Barriers of twelve hosts on the test server with skipped time. Every history is replayed.
@Timeout(110)
final class BarrierImplTest {
  private final TestWorkflowEnvironment environment =
      TestWorkflowEnvironment.newInstance(
          TestEnvironmentOptions.newBuilder().setWorkflowClientOptions(Payloads.clientOptions()).build());
  private final WorkflowClient client = environment.getWorkflowClient();
  private final FakeBarrierActivities activities = new FakeBarrierActivities();

  @BeforeEach
  void start() {
    SearchAttributeKeys.ALL.forEach(
        key -> environment.registerSearchAttribute(key.getName(), INDEXED_VALUE_TYPE_KEYWORD));
    Worker worker = environment.newWorker(TaskQueues.ROLLOUT, StoredHistories.PATIENT);
    worker.registerWorkflowImplementationTypes(BarrierImpl.class);
    worker.registerActivitiesImplementations(activities);
    environment.start();
  }

  @AfterEach
  void everyHistoryReplays() throws Exception {
    try (environment) {
      StoredBarriersTest.STORED.replay(client.fetchHistory(workflowId()));
    }
  }

  @Test
  void allHaltSomebodyMigratesAndAllResume() {
    after(Duration.ofMinutes(20), () -> act(BarrierAction.CONTINUE));

    BarrierResult result = run(Optional.empty());

    assertThat(result).isEqualTo(new BarrierResult(BarrierOutcome.COMPLETED, "continued by ann"));
    assertThat(activities.calls).containsExactly("halt", "halted", "continue", "resuming: completed", "resume", "end");
    keep("completed");
  }

  @Test
  void oneThatIsMissingHasEverybodyResume() {
    activities.silent = 1;

    assertThat(failure(Optional.empty())).isEqualTo("aborted: 1 of 12 hosts have not halted");

    assertThat(activities.calls).containsExactly("halt", "resuming: aborted", "resume", "end");
    keep("missing");
  }

  @Test
  void itGoesOnWithoutOneThatIsMissingIfItMay() {
    activities.silent = 1;
    activities.rule = WhenNotHalted.CONTINUE;
    after(Duration.ofMinutes(20), () -> act(BarrierAction.CONTINUE));

    assertThat(run(Optional.empty()).outcome()).isEqualTo(BarrierOutcome.COMPLETED_WITHOUT);

    keep("completed-without");
  }

  @Test
  void somebodyAbortsItDuringTheMigration() {
    after(Duration.ofMinutes(20), () -> act(BarrierAction.ABORT));

    assertThat(failure(Optional.empty())).isEqualTo("aborted: aborted by ann");

    assertThat(activities.calls).containsExactly("halt", "halted", "abort", "resuming: aborted", "resume", "end");
    keep("aborted");
  }

  @Test
  void cancelledInTemporalItHasEverybodyResume() {
    after(Duration.ofMinutes(20), () -> client.newUntypedWorkflowStub(workflowId()).cancel("wrong site"));

    assertThatThrownBy(() -> run(Optional.empty())).hasCauseInstanceOf(CanceledFailure.class);

    assertThat(activities.calls).containsExactly("halt", "halted", "abort", "resuming: aborted", "resume", "end");
  }

  @Test
  void aMigrationThatTakesTooLongEndsWhenTheHostsResumeByThemselves() {
    assertThat(failure(Optional.empty())).startsWith("expired: the migration was not done at ");

    assertThat(activities.calls).containsExactly("halt", "halted", "resuming: expired", "resume", "end");
    keep("expired");
  }

  @Test
  void theUpgradeOfADeviceIsTheMigration() {
    assertThat(run(Optional.of("db-1")).outcome()).isEqualTo(BarrierOutcome.COMPLETED);

    assertThat(activities.calls)
        .containsExactly("halt", "halted", "migrate db-1", "resuming: completed", "resume", "end");
    keep("migrated");
  }

  @Test
  void aDeviceThatIsNotUpgradedHasEverybodyResume() {
    activities.migration = new MigrationResult(false, false, "upgrade of db-1: rolled-back");

    assertThat(failure(Optional.of("db-1"))).isEqualTo("migration-failed: upgrade of db-1: rolled-back");

    assertThat(activities.calls)
        .containsExactly("halt", "halted", "migrate db-1", "resuming: migration-failed", "resume", "end");
    keep("not-migrated");
  }

  private void keep(String way) {
    StoredBarriersTest.STORED.keep(way, client.fetchHistory(workflowId()));
  }

  private BarrierResult run(Optional<String> device) {
    Instant until = Instant.ofEpochMilli(environment.currentTimeMillis()).plus(Duration.ofHours(2));
    var input = new BarrierInput("acme", "schema-7", "till", device, until);
    Barrier workflow = client.newWorkflowStub(Barrier.class, input.workflowOptions());
    WorkflowClient.start(workflow::run, input);
    return WorkflowStub.fromTyped(workflow).getResult(BarrierResult.class);
  }

  private String failure(Optional<String> device) {
    WorkflowFailedException failed = catchThrowableOfType(WorkflowFailedException.class, () -> run(device));
    ApplicationFailure cause = requireNonNull((ApplicationFailure) failed.getCause());
    return cause.getType() + ": " + cause.getOriginalMessage();
  }

  private String act(BarrierAction action) {
    return client
        .newWorkflowStub(Barrier.class, workflowId())
        .act(new BarrierRequest("request-" + action, action, "ann", "", ""));
  }

  private static String workflowId() {
    return BarrierInput.workflowId("acme", "schema-7");
  }

  private void after(Duration time, Runnable what) {
    environment.registerDelayedCallback(time, what);
  }
}
