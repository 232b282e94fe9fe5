package dev.uplift.workflows.device;

import static dev.uplift.fleet.ErrorClass.NEEDS_PERSON;
import static dev.uplift.workflows.device.FakeFleet.fails;
import static dev.uplift.workflows.device.FakeFleet.isSilent;
import static dev.uplift.workflows.device.FakeFleet.isWaitedFor;
import static io.temporal.api.enums.v1.EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED;
import static io.temporal.api.enums.v1.WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Reach;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.workflows.SearchAttributes;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What only a real Temporal server shows: its reset, its cancel, its back-off, its time-outs. The
/// fleet is the one in memory; it remembers what it answered to a command, as the tables do.
@Timeout(60)
final class RealTemporalTest {
  private static final HostId LEFT = new HostId("left");
  private static final Operator ANN = new Operator("ann", "wrong site");

  private static final RealTemporal TEMPORAL = new RealTemporal();

  private final WorkflowClient client = TEMPORAL.client();
  private final DeviceId device = new DeviceId("acme", "site-" + UUID.randomUUID());
  private final FakeFleet fleet = new FakeFleet();
  private final FakeRecords records = new FakeRecords();
  private final WorkerFactory workers = WorkerFactory.newInstance(client);
  private Duration time = Duration.ofMinutes(10);
  private Duration step = Duration.ofSeconds(30);

  @AfterAll
  static void stopTemporal() {
    TEMPORAL.close();
  }

  @BeforeEach
  void startWorker() {
    fleet.host("left").needsReboot().goesOnTrial();
    Worker worker = workers.newWorker(device.name(), StoredHistories.PATIENT);
    worker.registerWorkflowImplementationTypes(DeviceUpgradeImpl.class);
    worker.registerActivitiesImplementations(fleet, records);
    workers.start();
  }

  @AfterEach
  void everyHistoryReplays() throws Exception {
    workers.shutdownNow();
    workers.awaitTermination(10, TimeUnit.SECONDS);
    StoredHistories.replay(client.fetchHistory(UpgradePlan.workflowId(device)));
  }

  @Test
  void costsWhatItCostsOnTheTestServer() throws Exception {
    start("left");

    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(history()).hasSize(40);
  }

  @Test
  void isFoundAndUnderstoodInTheWebUi() throws Exception {
    fleet.on("commit left", fails(NEEDS_PERSON, "read-only"));
    start("left");
    awaitWait(WaitFor.PERSON);

    var description = workflow().describe();
    assertThat(description.getTypedSearchAttributes().get(SearchAttributes.PHASE))
        .isEqualTo("upgrade");
    assertThat(description.getStaticSummary()).isEqualTo("os 1.5.0 to " + device);
    assertThat(description.getStaticDetails()).contains("| hosts | left |");
    assertThat(description.getMemo(UpgradeStart.UPGRADE_ID, String.class)).isEqualTo("u-1");

    running().abort(ANN);
    ending();
    description = workflow().describe();
    assertThat(description.getTypedSearchAttributes().get(SearchAttributes.PHASE))
        .isEqualTo("ended");
    assertThat(description.getTypedSearchAttributes().get(SearchAttributes.OUTCOME))
        .isEqualTo("rolled-back");
  }

  @Test
  void resetOfARunningUpgradeRepeatsNoEffect() throws Exception {
    fleet.on("commit left", fails(NEEDS_PERSON, "read-only"));
    start("left");
    awaitWait(WaitFor.PERSON);

    TEMPORAL.reset(UpgradePlan.workflowId(device), firstTask());
    awaitWait(WaitFor.PERSON);
    fleet.cure("commit left");
    running().retryStep(LEFT, ANN);

    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
    for (String order : List.of("prepare left", "upgrade left", "reboot left")) {
      assertThat(Collections.frequency(fleet.log(), order)).as(order).isOne();
    }
    assertThat(fleet.log()).endsWith("commit left", "commit left");
  }

  @Test
  void resetBeforeAnyHostWasTouchedRepeatsNoEffect() throws Exception {
    fleet.on("prepare left", fails(NEEDS_PERSON, "disk-full"));
    start("left");
    awaitWait(WaitFor.PERSON);

    TEMPORAL.reset(UpgradePlan.workflowId(device), firstTask());
    awaitWait(WaitFor.PERSON);

    assertThat(fleet.log()).containsExactly("prepare left");
    running().abort(ANN);
    assertThat(ending().outcome()).isEqualTo(Outcome.ABORTED);
  }

  @Test
  void resetOfAnUpgradeThatHasEndedReturnsItsEnding() throws Exception {
    start("left");
    Ending before = ending();
    List<String> done = List.copyOf(fleet.log());

    TEMPORAL.reset(UpgradePlan.workflowId(device), firstTask());

    assertThat(ending()).isEqualTo(before);
    assertThat(fleet.log()).isEqualTo(done);
  }

  @ParameterizedTest
  @ValueSource(strings = {"prepare left", "upgrade left", "reboot left", "await-heartbeat left"})
  void cancelInTemporalClosesAsCancelledAndTheRecordsHaveTheOutcome(String interrupted) {
    fleet.on(interrupted, atFirst(isWaitedFor()));
    start("left");
    fleet.await(interrupted);

    workflow().cancel("pressed by ann");

    assertThatThrownBy(this::ending).isInstanceOf(WorkflowFailedException.class);
    assertThat(workflow().describe().getStatus()).isEqualTo(WORKFLOW_EXECUTION_STATUS_CANCELED);
    Ending ending = records.endings().getFirst();
    assertThat(ending.reason().orElseThrow().text()).contains("pressed by ann");
    assertThat(ending.outcome())
        .isEqualTo(interrupted.startsWith("prepare") ? Outcome.ABORTED : Outcome.ROLLED_BACK);
    assertThat(fleet.host("left").version()).isEqualTo("1.4.0");
  }

  @Test
  void abortInTheMiddleOfBackOffEndsTheReSends() throws Exception {
    fleet.on("upgrade left", atFirst(isSilent()));
    start("left");
    fleet.await("upgrade left");

    assertThat(running().abort(ANN)).isEqualTo("upgrade left");

    assertThat(ending().outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(fleet.log()).containsSubsequence("upgrade left", "cancel left", "rollback left");
    assertThat(workflow().describe().getRawDescription().getPendingActivitiesList()).isEmpty();
  }

  @Test
  void deadlineIsKeptThoughTheLastReSendWouldComeTooLate() throws Exception {
    time = Duration.ofSeconds(6);
    fleet.on("prepare left", isSilent());
    Instant notAfter = start("left");

    Ending ending = ending();

    assertThat(ending.outcome()).isEqualTo(Outcome.EXPIRED);
    assertThat(Instant.now()).isAfterOrEqualTo(notAfter);
  }

  @Test
  void ourOwnLinkThatIsDownRollsNobodyBack() throws Exception {
    step = Duration.ofSeconds(2);
    fleet.loseLink();
    fleet.on("reboot left", FakeFleet.goesOff());
    start("left");
    awaitWait(WaitFor.PRESENCE);

    fleet.cure("reboot left");
    fleet.host("left").comeBack();
    fleet.regainLink(Instant.now());

    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(fleet.log()).doesNotContain("rollback left");
  }

  private static FakeFleet.Conduct atFirst(FakeFleet.Conduct conduct) {
    return (order, host) ->
        order.generation() == 1 && order.wanted().equals("1.5.0")
            ? conduct.answer(order, host)
            : host.obey(order);
  }

  /// Returns its deadline.
  private Instant start(String... hosts) {
    Instant notAfter = Instant.now().plus(time);
    UpgradePlan plan =
        new UpgradePlan(
            "u-1",
            device,
            Arrays.stream(hosts).map(HostId::new).toList(),
            new Release("os", "1.5.0"),
            Reach.DEVICE,
            false,
            "ann",
            false,
            Duration.ZERO,
            notAfter,
            pace());
    WorkflowOptions options =
        UpgradeStart.options(plan).toBuilder().setTaskQueue(device.name()).build();
    WorkflowClient.start(client.newWorkflowStub(DeviceUpgrade.class, options)::run, plan);
    return notAfter;
  }

  private Pace pace() {
    return new Pace(
        Arrays.stream(Step.values()).collect(Collectors.toMap(each -> each, _ -> step)),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2));
  }

  private DeviceUpgrade running() {
    return client.newWorkflowStub(DeviceUpgrade.class, UpgradePlan.workflowId(device));
  }

  private WorkflowStub workflow() {
    return client.newUntypedWorkflowStub(UpgradePlan.workflowId(device));
  }

  private Ending ending() throws Exception {
    return workflow().getResult(40, TimeUnit.SECONDS, Ending.class);
  }

  private List<HistoryEvent> history() {
    return client.fetchHistory(UpgradePlan.workflowId(device)).getEvents();
  }

  private void awaitWait(WaitFor what) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> running().status().waits().stream().anyMatch(wait -> wait.what() == what));
  }

  private long firstTask() {
    return history().stream()
        .filter(event -> event.getEventType() == EVENT_TYPE_WORKFLOW_TASK_COMPLETED)
        .findFirst()
        .orElseThrow()
        .getEventId();
  }
}
