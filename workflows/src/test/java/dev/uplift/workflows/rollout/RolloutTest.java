package dev.uplift.workflows.rollout;

import static io.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.workflows.Payloads;
import dev.uplift.workflows.SearchAttributeKeys;
import dev.uplift.workflows.StoredHistories;
import dev.uplift.workflows.TaskQueues;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowStub;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.failure.CanceledFailure;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A rollout's loop on the test server with skipped time. Every history replays.
@Timeout(60)
final class RolloutTest {
  private static final RolloutInput START =
      new RolloutInput("acme", "north", new Release("os", "1.5.0"), RolloutTimeouts.DEFAULTS);

  private final TestWorkflowEnvironment environment = newEnvironment();
  private final WorkflowClient client = environment.getWorkflowClient();
  private final FakeRolloutActivities fleet = new FakeRolloutActivities(this::now);

  @BeforeEach
  void start() {
    SearchAttributeKeys.ALL.forEach(
        key -> environment.registerSearchAttribute(key.getName(), INDEXED_VALUE_TYPE_KEYWORD));
    Worker worker = environment.newWorker(TaskQueues.ROLLOUT, StoredHistories.PATIENT);
    worker.registerWorkflowImplementationTypes(RolloutImpl.class);
    worker.registerActivitiesImplementations(fleet);
    environment.start();
  }

  @AfterEach
  void everyHistoryReplays() throws Exception {
    try (environment) {
      StoredRolloutsTest.STORED.replay(history());
    }
  }

  @Test
  void endsWhenATickSaysSo() {
    fleet.returns(FakeRolloutActivities.ended(RolloutOutcome.UPGRADED, "12 of 12 devices run the release"));

    assertThat(run())
        .isEqualTo(new RolloutResult(RolloutOutcome.UPGRADED, "12 of 12 devices run the release"));
    assertThat(fleet.calls).hasSize(1);
    StoredRolloutsTest.STORED.keep(RolloutOutcome.UPGRADED, history());
  }

  @Test
  void endsWhereTheDeadlineCameFirst() {
    fleet.returns(FakeRolloutActivities.ended(RolloutOutcome.EXPIRED, "the deadline has passed"));

    assertThat(run().outcome()).isEqualTo(RolloutOutcome.EXPIRED);
    StoredRolloutsTest.STORED.keep(RolloutOutcome.EXPIRED, history());
  }

  @Test
  void personAbortsIt() {
    fleet.returns(FakeRolloutActivities.waitsForOperator("waits"));
    after(
        Duration.ofMinutes(5),
        () ->
            assertThat(running().applyAction(RolloutAction.of("1", OperatorAction.ABORT, "bob", "wrong release")))
                .isEqualTo(new ActionResult(true, "abort by bob")));

    assertThat(run()).isEqualTo(new RolloutResult(RolloutOutcome.ABORTED, "aborted by bob"));
    StoredRolloutsTest.STORED.keep(RolloutOutcome.ABORTED, history());
  }

  @Test
  void personPausesItAndAnotherOneResumesIt() {
    fleet.returns(
        FakeRolloutActivities.waits(Duration.ofMinutes(20), "soaks"),
        FakeRolloutActivities.waitsForOperator("paused by bob"),
        FakeRolloutActivities.ended(RolloutOutcome.PARTIAL, "done"));
    after(Duration.ofMinutes(5), () -> say("1", OperatorAction.PAUSE));
    after(Duration.ofMinutes(10), () -> say("2", OperatorAction.RESUME));

    assertThat(run().outcome()).isEqualTo(RolloutOutcome.PARTIAL);
    assertThat(fleet.actions).extracting(RolloutAction::action).containsExactly(OperatorAction.PAUSE, OperatorAction.RESUME);
    StoredRolloutsTest.STORED.keep("paused-and-resumed", history());
  }

  private void say(String id, OperatorAction action) {
    assertThat(running().applyAction(RolloutAction.of(id, action, "bob", "storm")).applied()).isTrue();
  }

  @Test
  void restsForAsLongAsTheTickWishes() {
    fleet.returns(
        FakeRolloutActivities.waits(Duration.ofMinutes(20), "soaks"),
        FakeRolloutActivities.ended(RolloutOutcome.PARTIAL, "done"));

    run();

    assertThat(fleet.intervals().getFirst()).isBetween(Duration.ofMinutes(20), Duration.ofHours(1));
    StoredRolloutsTest.STORED.keep(RolloutOutcome.PARTIAL, history());
  }

  @Test
  void looksAgainAfterAnHourAtTheLatest() {
    fleet.returns(
        FakeRolloutActivities.waits(Duration.ofDays(30), "the window opens next month"),
        FakeRolloutActivities.waitsForOperator("wave 2 waits for approval"),
        FakeRolloutActivities.ended(RolloutOutcome.PARTIAL, "done"));

    run();

    assertThat(fleet.intervals())
        .allSatisfy(rest -> assertThat(rest).isLessThan(Duration.ofHours(2)));
  }

  @Test
  void personIsAnsweredAndTheNextTickIsAtOnce() {
    fleet.returns(
        FakeRolloutActivities.waitsForOperator("wave 2 waits for approval"),
        FakeRolloutActivities.ended(RolloutOutcome.UPGRADED, "done"));
    after(
        Duration.ofMinutes(5),
        () ->
            assertThat(running().applyAction(RolloutAction.of("1", OperatorAction.APPROVE, "bob", "looks good")))
                .isEqualTo(new ActionResult(true, "approve by bob")));

    run();

    assertThat(fleet.intervals().getFirst()).isLessThan(Duration.ofMinutes(50));
  }

  @Test
  void refusedWishIsAnAnswerToo() {
    fleet.returns(
        FakeRolloutActivities.waitsForOperator("waits"), FakeRolloutActivities.ended(RolloutOutcome.UPGRADED, "done"));
    after(
        Duration.ofMinutes(5),
        () ->
            assertThat(running().applyAction(RolloutAction.of("1", OperatorAction.APPROVE, "bob", "")))
                .isEqualTo(new ActionResult(false, "say why")));

    assertThat(run().outcome()).isEqualTo(RolloutOutcome.UPGRADED);
  }

  @Test
  void changedWindowIsLookedAtAtOnce() {
    fleet.returns(
        FakeRolloutActivities.waitsForOperator("waits"), FakeRolloutActivities.ended(RolloutOutcome.UPGRADED, "done"));
    after(Duration.ofMinutes(5), () -> running().recheck());

    run();

    assertThat(fleet.intervals().getFirst()).isLessThan(Duration.ofMinutes(50));
  }

  @Test
  void tickThatFailsIsTriedAgainForEver() {
    fleet.fails(30);
    fleet.returns(FakeRolloutActivities.ended(RolloutOutcome.UPGRADED, "done"));

    assertThat(run().outcome()).isEqualTo(RolloutOutcome.UPGRADED);
    assertThat(fleet.calls).hasSize(31);
  }

  @Test
  void cancelInTemporalIsAnAbort() {
    fleet.returns(FakeRolloutActivities.waitsForOperator("waits"));
    after(Duration.ofMinutes(5), () -> WorkflowStub.fromTyped(running()).cancel("wrong release"));

    assertThatThrownBy(this::run)
        .isInstanceOf(WorkflowFailedException.class)
        .hasCauseInstanceOf(CanceledFailure.class);
    assertThat(fleet.actions)
        .extracting(RolloutAction::action, RolloutAction::by)
        .containsExactly(tuple(OperatorAction.ABORT, "Temporal"));
    StoredRolloutsTest.STORED.keep("cancelled", history());
  }

  @Test
  void rolloutOfOneTickCostsAtMost12Events() {
    fleet.returns(FakeRolloutActivities.ended(RolloutOutcome.UPGRADED, "done"));
    run();

    assertThat(history().getEvents()).hasSizeLessThanOrEqualTo(12);
  }

  private static TestWorkflowEnvironment newEnvironment() {
    return TestWorkflowEnvironment.newInstance(
        TestEnvironmentOptions.newBuilder()
            .setWorkflowClientOptions(Payloads.clientOptions())
            .build());
  }

  private RolloutResult run() {
    return client.newWorkflowStub(Rollout.class, START.workflowOptions()).run(START);
  }

  private Rollout running() {
    return client.newWorkflowStub(Rollout.class, RolloutInput.workflowId("acme", "north"));
  }

  private WorkflowExecutionHistory history() {
    return client.fetchHistory(RolloutInput.workflowId("acme", "north"));
  }

  private void after(Duration time, Runnable what) {
    environment.registerDelayedCallback(time, what);
  }

  private Instant now() {
    return Instant.ofEpochMilli(environment.currentTimeMillis());
  }
}
