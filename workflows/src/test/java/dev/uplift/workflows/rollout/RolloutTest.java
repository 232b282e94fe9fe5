package dev.uplift.workflows.rollout;

import static io.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.workflows.Payloads;
import dev.uplift.workflows.SearchAttributes;
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
  private static final RolloutStart START =
      new RolloutStart("acme", "north", new Release("os", "1.5.0"), RolloutPace.USUAL);

  private final TestWorkflowEnvironment environment = newEnvironment();
  private final WorkflowClient client = environment.getWorkflowClient();
  private final FakeFleet fleet = new FakeFleet(this::now);

  @BeforeEach
  void start() {
    SearchAttributes.ALL.forEach(
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
    fleet.says(FakeFleet.over(RolloutOutcome.UPGRADED, "12 of 12 devices run the release"));

    assertThat(run())
        .isEqualTo(new RolloutEnding(RolloutOutcome.UPGRADED, "12 of 12 devices run the release"));
    assertThat(fleet.ticks).hasSize(1);
    StoredRolloutsTest.STORED.keep(RolloutOutcome.UPGRADED, history());
  }

  @Test
  void endsWhereTheDeadlineCameFirst() {
    fleet.says(FakeFleet.over(RolloutOutcome.EXPIRED, "the deadline has passed"));

    assertThat(run().outcome()).isEqualTo(RolloutOutcome.EXPIRED);
    StoredRolloutsTest.STORED.keep(RolloutOutcome.EXPIRED, history());
  }

  @Test
  void personAbortsIt() {
    fleet.says(FakeFleet.waitsForSomebody("waits"));
    after(
        Duration.ofMinutes(5),
        () ->
            assertThat(running().steer(SteerWish.of("1", Steer.ABORT, "bob", "wrong release")))
                .isEqualTo(new Steered(true, "abort by bob")));

    assertThat(run()).isEqualTo(new RolloutEnding(RolloutOutcome.ABORTED, "aborted by bob"));
    StoredRolloutsTest.STORED.keep(RolloutOutcome.ABORTED, history());
  }

  @Test
  void personPausesItAndAnotherOneResumesIt() {
    fleet.says(
        FakeFleet.waits(Duration.ofMinutes(20), "soaks"),
        FakeFleet.waitsForSomebody("paused by bob"),
        FakeFleet.over(RolloutOutcome.PARTIAL, "done"));
    after(Duration.ofMinutes(5), () -> say("1", Steer.PAUSE));
    after(Duration.ofMinutes(10), () -> say("2", Steer.RESUME));

    assertThat(run().outcome()).isEqualTo(RolloutOutcome.PARTIAL);
    assertThat(fleet.wishes).extracting(SteerWish::what).containsExactly(Steer.PAUSE, Steer.RESUME);
    StoredRolloutsTest.STORED.keep("paused-and-resumed", history());
  }

  private void say(String id, Steer what) {
    assertThat(running().steer(SteerWish.of(id, what, "bob", "storm")).done()).isTrue();
  }

  @Test
  void restsForAsLongAsTheTickWishes() {
    fleet.says(
        FakeFleet.waits(Duration.ofMinutes(20), "soaks"),
        FakeFleet.over(RolloutOutcome.PARTIAL, "done"));

    run();

    assertThat(fleet.between().getFirst()).isBetween(Duration.ofMinutes(20), Duration.ofHours(1));
    StoredRolloutsTest.STORED.keep(RolloutOutcome.PARTIAL, history());
  }

  @Test
  void looksAgainAfterAnHourAtTheLatest() {
    fleet.says(
        FakeFleet.waits(Duration.ofDays(30), "the window opens next month"),
        FakeFleet.waitsForSomebody("wave 2 waits for approval"),
        FakeFleet.over(RolloutOutcome.PARTIAL, "done"));

    run();

    assertThat(fleet.between())
        .allSatisfy(rest -> assertThat(rest).isLessThan(Duration.ofHours(2)));
  }

  @Test
  void personIsAnsweredAndTheNextTickIsAtOnce() {
    fleet.says(
        FakeFleet.waitsForSomebody("wave 2 waits for approval"),
        FakeFleet.over(RolloutOutcome.UPGRADED, "done"));
    after(
        Duration.ofMinutes(5),
        () ->
            assertThat(running().steer(SteerWish.of("1", Steer.APPROVE, "bob", "looks good")))
                .isEqualTo(new Steered(true, "approve by bob")));

    run();

    assertThat(fleet.between().getFirst()).isLessThan(Duration.ofMinutes(50));
  }

  @Test
  void refusedWishIsAnAnswerToo() {
    fleet.says(
        FakeFleet.waitsForSomebody("waits"), FakeFleet.over(RolloutOutcome.UPGRADED, "done"));
    after(
        Duration.ofMinutes(5),
        () ->
            assertThat(running().steer(SteerWish.of("1", Steer.APPROVE, "bob", "")))
                .isEqualTo(new Steered(false, "say why")));

    assertThat(run().outcome()).isEqualTo(RolloutOutcome.UPGRADED);
  }

  @Test
  void changedWindowIsLookedAtAtOnce() {
    fleet.says(
        FakeFleet.waitsForSomebody("waits"), FakeFleet.over(RolloutOutcome.UPGRADED, "done"));
    after(Duration.ofMinutes(5), () -> running().lookAgain());

    run();

    assertThat(fleet.between().getFirst()).isLessThan(Duration.ofMinutes(50));
  }

  @Test
  void tickThatFailsIsTriedAgainForEver() {
    fleet.fails(30);
    fleet.says(FakeFleet.over(RolloutOutcome.UPGRADED, "done"));

    assertThat(run().outcome()).isEqualTo(RolloutOutcome.UPGRADED);
    assertThat(fleet.ticks).hasSize(31);
  }

  @Test
  void cancelInTemporalIsAnAbort() {
    fleet.says(FakeFleet.waitsForSomebody("waits"));
    after(Duration.ofMinutes(5), () -> WorkflowStub.fromTyped(running()).cancel("wrong release"));

    assertThatThrownBy(this::run)
        .isInstanceOf(WorkflowFailedException.class)
        .hasCauseInstanceOf(CanceledFailure.class);
    assertThat(fleet.wishes)
        .extracting(SteerWish::what, SteerWish::by)
        .containsExactly(tuple(Steer.ABORT, "Temporal"));
    StoredRolloutsTest.STORED.keep("cancelled", history());
  }

  @Test
  void rolloutOfOneTickCostsAtMost12Events() {
    fleet.says(FakeFleet.over(RolloutOutcome.UPGRADED, "done"));
    run();

    assertThat(history().getEvents()).hasSizeLessThanOrEqualTo(12);
  }

  private static TestWorkflowEnvironment newEnvironment() {
    return TestWorkflowEnvironment.newInstance(
        TestEnvironmentOptions.newBuilder()
            .setWorkflowClientOptions(Payloads.clientOptions())
            .build());
  }

  private RolloutEnding run() {
    return client.newWorkflowStub(Rollout.class, START.options()).run(START);
  }

  private Rollout running() {
    return client.newWorkflowStub(Rollout.class, RolloutStart.workflowId("acme", "north"));
  }

  private WorkflowExecutionHistory history() {
    return client.fetchHistory(RolloutStart.workflowId("acme", "north"));
  }

  private void after(Duration time, Runnable what) {
    environment.registerDelayedCallback(time, what);
  }

  private Instant now() {
    return Instant.ofEpochMilli(environment.currentTimeMillis());
  }
}
