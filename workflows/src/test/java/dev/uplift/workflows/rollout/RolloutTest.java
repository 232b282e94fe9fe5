package dev.uplift.workflows.rollout;

import static dev.uplift.fleet.rollout.TargetResult.ROLLED_BACK;
import static dev.uplift.fleet.rollout.TargetResult.UPGRADED;
import static io.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.plan.Gate;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.workflows.Payloads;
import dev.uplift.workflows.SearchAttributeKeys;
import dev.uplift.workflows.StoredHistories;
import dev.uplift.workflows.TaskQueues;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowStub;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Rollouts on the test server with skipped time. Every history is replayed.
@Timeout(60)
final class RolloutTest {
  private static final RolloutInput START =
      new RolloutInput("acme", "north", new Release("os", "1.5.0"), RolloutTimeouts.DEFAULTS);
  private static final WaveSpec REST = WaveSpec.of(new WaveSize.Rest());

  private final TestWorkflowEnvironment environment = newEnvironment();
  private final WorkflowClient client = environment.getWorkflowClient();
  private final FakeRolloutActivities fleet = new FakeRolloutActivities(this::now);
  private final List<CompletableFuture<Void>> calls = new ArrayList<>();

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
      calls.forEach(CompletableFuture::join);
      StoredRolloutsTest.STORED.replay(history());
    }
  }

  @Test
  void historyReadsAsTheStoryOfTheRollout() {
    Instant night = now().plus(Duration.ofHours(8));
    fleet
        .wave(1, REST.withSoak(Duration.ofMinutes(30)))
        .wave(3, REST.withGate(new Gate.Approval()))
        .wave(8, REST.withGate(new Gate.Time(night)));
    after(Duration.ofHours(1), () -> act("1", OperatorAction.APPROVE));

    assertThat(run()).isEqualTo(new RolloutResult(RolloutOutcome.UPGRADED, "12 of 12 devices run the release"));
    assertThat(HistoryStory.of(history()).stream().map(line -> line.replace(night.toString(), "NIGHT")))
        .containsExactly(
            "started: os 1.5.0 to the devices of north",
            "- where it is",
            "upgrade-wave: wave 1 of 3: 1 device pending, 0 in progress, at most 100",
            "soak-wave: wave 1 of 3 soaks: watched 0 s of 30 min",
            "- next-wave: wave 1 of 3 is done: 1 of 1 device run the release",
            "update accepted",
            "- approve by bob",
            "upgrade-wave: wave 2 of 3: 3 devices pending, 0 in progress, at most 100",
            "- next-wave: wave 2 of 3 is done: 3 of 3 devices run the release",
            "timer: wave 3 of 3 begins at NIGHT",
            "timer fired",
            "- whether it continues",
            "upgrade-wave: wave 3 of 3: 8 devices pending, 0 in progress, at most 100",
            "- finish: 12 of 12 devices run the release",
            "completed");
    StoredRolloutsTest.STORED.keep(RolloutOutcome.UPGRADED, history());
  }

  @Test
  void waveCostsAtMost20Events() {
    fleet
        .wave(1, REST.withSoak(Duration.ofMinutes(30)))
        .wave(3, REST.withSoak(Duration.ofMinutes(30)).withGate(new Gate.Time(now().plus(Duration.ofHours(9)))))
        .wave(8, REST.withSoak(Duration.ofMinutes(30)).withGate(new Gate.Time(now().plus(Duration.ofHours(19)))));

    run();

    assertThat(history().getEvents()).hasSizeLessThanOrEqualTo(3 * 20);
  }

  /// Its own 13, and 8 of the approval: an Update, its record, and two changes of the phase.
  @Test
  void waveWithApprovalAndSoakCosts21Events() {
    fleet.wave(1);
    for (int wave = 1; wave <= 2; wave++) {
      fleet.wave(4, REST.withSoak(Duration.ofMinutes(30)).withGate(new Gate.Approval()));
      String id = String.valueOf(wave);
      after(Duration.ofHours(wave), () -> act(id, OperatorAction.APPROVE));
    }

    run();

    // A rollout of one simple wave has 14.
    assertThat(history().getEvents()).hasSizeLessThanOrEqualTo(14 + 2 * 21);
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 3000})
  void numberOfDevicesCostsNoEvents(int devices) {
    fleet.wave(devices / 10).wave(devices);

    run();

    assertThat(history().getEvents()).hasSizeLessThanOrEqualTo(2 * 20);
  }

  @Test
  void startsAtItsTime() {
    Instant start = now().plus(Duration.ofHours(5));
    fleet.wave(1).startsAt(start);

    assertThat(run().outcome()).isEqualTo(RolloutOutcome.UPGRADED);
    assertThat(fleet.stepTimes.getFirst()).isAfterOrEqualTo(start);
  }

  @Test
  void deadlineEndsItAsFailed() {
    fleet.wave(3).endsBy(now().plus(Duration.ofHours(2)));
    for (int hour = 0; hour < 4; hour++) {
      fleet.isBlocked(WaitReason.WINDOW, Duration.ofHours(9));
    }

    assertThat(failure().getType()).isEqualTo("expired");
    StoredRolloutsTest.STORED.keep(RolloutOutcome.EXPIRED, history());
  }

  @Test
  void waveWithoutEnoughSuccessesPausesIt() {
    fleet.wave(1).ends(1, ROLLED_BACK);
    after(Duration.ofMinutes(5), () -> act("1", OperatorAction.RESUME));

    assertThat(run().outcome()).isEqualTo(RolloutOutcome.PARTIAL);
    assertThat(fleet.story()).containsExactly("upgrade-wave", "pause", "finish");
    StoredRolloutsTest.STORED.keep(RolloutOutcome.PARTIAL, history());
  }

  @Test
  void abortClosesTheWorkflowAsFailedWithTheOutcomeAsType() {
    fleet.wave(1).wave(3, REST.withGate(new Gate.Approval()));
    after(Duration.ofMinutes(5), () -> act("1", OperatorAction.ABORT));

    ApplicationFailure failure = failure();

    assertThat(failure.getType()).isEqualTo("aborted");
    assertThat(failure.getOriginalMessage()).isEqualTo("bob");
    assertThat(failure.getCategory()).isEqualTo(ApplicationErrorCategory.BENIGN);
    assertThat(failure.getDetails().get(RolloutResult.class))
        .isEqualTo(new RolloutResult(RolloutOutcome.ABORTED, "bob"));
    StoredRolloutsTest.STORED.keep(RolloutOutcome.ABORTED, history());
  }

  @Test
  void pauseFinishesRunningUpgradesAndWaits() {
    fleet
        .wave(6)
        .starts(
            2,
            () -> {
              calls.add(CompletableFuture.runAsync(() -> act("1", OperatorAction.PAUSE)));
              fleet.awaitActions(1);
            });
    after(Duration.ofMinutes(10), () -> act("2", OperatorAction.RESUME));

    assertThat(run().outcome()).isEqualTo(RolloutOutcome.UPGRADED);
    assertThat(fleet.story()).containsExactly("upgrade-wave", "finish-running", "upgrade-wave", "finish");
    assertThat(fleet.actions)
        .extracting(RolloutAction::action)
        .containsExactly(OperatorAction.PAUSE, OperatorAction.RESUME);
    StoredRolloutsTest.STORED.keep("paused-and-resumed", history());
  }

  @Test
  void pauseIsAnsweredWhileUpgradesRun() {
    fleet
        .wave(6)
        .starts(
            2,
            () -> {
              calls.add(CompletableFuture.runAsync(() -> act("1", OperatorAction.PAUSE)));
              fleet.awaitActions(1);
            })
        .runs(() -> calls.getFirst().join());
    after(Duration.ofMinutes(10), () -> act("2", OperatorAction.RESUME));

    assertThat(run().outcome()).isEqualTo(RolloutOutcome.UPGRADED);
    assertThat(history().getEvents())
        .as("the time that a step has at most to return")
        .extracting(HistoryEvent::getEventType)
        .doesNotContain(EventType.EVENT_TYPE_TIMER_FIRED);
  }

  @Test
  void blockedDevicesAreCheckedAgainAtTheirTime() {
    fleet.wave(3).isBlocked(WaitReason.WINDOW, Duration.ofMinutes(20));

    run();

    assertThat(between()).isBetween(Duration.ofMinutes(20), Duration.ofHours(1));
  }

  @Test
  void blockedDevicesAreCheckedAgainAfterAnHourAtTheLatest() {
    fleet.wave(3).isBlocked(WaitReason.WINDOW, Duration.ofDays(30));

    run();

    assertThat(between()).isLessThan(Duration.ofHours(2));
  }

  @Test
  void blockedDevicesAreCheckedAgainWhenAWindowChanges() {
    fleet.wave(3).isBlocked(WaitReason.WINDOW, Duration.ofDays(30));
    after(Duration.ofMinutes(5), () -> running().recheck());

    run();

    assertThat(between()).isLessThan(Duration.ofMinutes(50));
  }

  @Test
  void actionRejectedByTheTablesIsAnswered() {
    fleet.wave(1).wave(3, REST.withGate(new Gate.Approval()));
    after(
        Duration.ofMinutes(5),
        () -> {
          assertThat(running().applyAction(RolloutAction.of("1", OperatorAction.APPROVE, "bob", "")))
              .isEqualTo(new ActionResult(false, "say why"));
          act("2", OperatorAction.APPROVE);
        });

    assertThat(run().outcome()).isEqualTo(RolloutOutcome.UPGRADED);
  }

  @Test
  void rowsThatAreAheadOfTheWorkflowDecideAboutAnAction() {
    fleet
        .wave(6)
        .starts(
            0,
            () -> {
              calls.add(CompletableFuture.runAsync(() -> act("1", OperatorAction.APPROVE)));
              fleet.awaitActions(1);
            });

    assertThat(run().outcome()).isEqualTo(RolloutOutcome.UPGRADED);
    assertThat(fleet.actions).extracting(RolloutAction::action).containsExactly(OperatorAction.APPROVE);
  }

  @Test
  void failedStepIsRetriedForEver() {
    fleet.wave(1).fail(30);

    assertThat(run().outcome()).isEqualTo(RolloutOutcome.UPGRADED);
    assertThat(fleet.story()).hasSize(32).last().isEqualTo("finish");
  }

  @Test
  void recordsThatFailAreCalledAgainUntilTheyAnswer() {
    fleet.wave(1).failRecords(3);

    assertThat(run().outcome()).isEqualTo(RolloutOutcome.UPGRADED);
  }

  @Test
  void cancelInTemporalIsAnAbort() {
    fleet.wave(1).wave(3, REST.withGate(new Gate.Approval()));
    after(Duration.ofMinutes(5), () -> WorkflowStub.fromTyped(running()).cancel("wrong release"));

    assertThatThrownBy(this::run).isInstanceOf(WorkflowFailedException.class).hasCauseInstanceOf(CanceledFailure.class);
    assertThat(fleet.actions)
        .extracting(RolloutAction::action, RolloutAction::by)
        .containsExactly(tuple(OperatorAction.ABORT, "Temporal"));
    StoredRolloutsTest.STORED.keep("cancelled", history());
  }

  @Test
  void twoFailuresPauseIt() {
    fleet.wave(6).ends(1, UPGRADED).ends(2, ROLLED_BACK);
    after(Duration.ofMinutes(5), () -> act("1", OperatorAction.RESUME));

    assertThat(run().outcome()).isEqualTo(RolloutOutcome.PARTIAL);
    assertThat(fleet.story()).containsExactly("upgrade-wave", "upgrade-wave", "pause", "upgrade-wave", "finish");
  }

  private static TestWorkflowEnvironment newEnvironment() {
    return TestWorkflowEnvironment.newInstance(
        TestEnvironmentOptions.newBuilder().setWorkflowClientOptions(Payloads.clientOptions()).build());
  }

  private RolloutResult run() {
    return client.newWorkflowStub(Rollout.class, START.workflowOptions()).run(START);
  }

  private ApplicationFailure failure() {
    try {
      throw new AssertionError("completed: " + run());
    } catch (WorkflowFailedException e) {
      return (ApplicationFailure) Objects.requireNonNull(e.getCause());
    }
  }

  private Rollout running() {
    return client.newWorkflowStub(Rollout.class, RolloutInput.workflowId("acme", "north"));
  }

  private void act(String id, OperatorAction action) {
    assertThat(running().applyAction(RolloutAction.of(id, action, "bob", "storm")).applied()).isTrue();
  }

  private Duration between() {
    return Duration.between(fleet.stepTimes.get(0), fleet.stepTimes.get(1));
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
