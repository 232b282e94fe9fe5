package dev.uplift.activities.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.Scenario;
import dev.uplift.activities.World;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Step;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Result.Cancelled;
import dev.uplift.protocol.Result.Done;
import dev.uplift.store.UpgradeEnd;
import dev.uplift.store.UpgradeRow;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.workflowservice.v1.ResetWorkflowExecutionRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowFailedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// What people press in Temporal's own tools.
final class TemporalToolsTest extends Scenario {
  @Override
  protected World world() {
    return World.shared();
  }

  @Test
  void cancelBeforeAHostIsTouchedIsAnAbort() throws Exception {
    start(pace(Duration.ofMinutes(5)));
    Command prepare = host.next(Action.PREPARE);

    workflow().cancel("not today");
    host.next(Action.CANCEL);
    host.answer(prepare, "1.4.0", new Cancelled());

    assertThat(awaitEnd().outcome()).isEqualTo(Outcome.ABORTED);
    assertThat(awaitEnd().why().orElseThrow().text()).contains("not today");
    assertThatThrownBy(this::ending).isInstanceOf(WorkflowFailedException.class);
  }

  @Test
  void cancelAfterAHostWasTouchedTakesItBack() throws Exception {
    start(pace(Duration.ofMinutes(5)));
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    Command upgrade = host.next(Action.UPGRADE);

    workflow().cancel("not today");
    host.next(Action.CANCEL);
    host.answer(upgrade, "1.5.0", new Done());
    host.answer(host.next(Action.INSPECT), "1.5.0", new Done());
    host.answer(host.next(Action.ROLLBACK), "1.4.0", new Done());
    awaitHeartbeatIsAwaited();
    host.beat("1.4.0");

    assertThat(awaitEnd().outcome()).isEqualTo(Outcome.ROLLED_BACK);
  }

  @Test
  void rowOfATerminatedUpgradeIsClosedAsAbortedWhileNoHostIsTouched() throws Exception {
    start(withoutResends());
    host.next(Action.PREPARE);

    workflow().terminate("stuck");

    assertThat(awaitEnd().outcome()).isEqualTo(Outcome.ABORTED);
    assertThat(awaitEnd().why().orElseThrow().code()).isEqualTo("terminated");
    assertThat(awaitEnd().why().orElseThrow().text()).contains("stuck");
    await("what nobody waits for is taken back")
        .until(() -> {
          int before = host.all().size();
          host.lookNow();
          return host.all().size() == before;
        });
  }

  @Test
  void rowOfATerminatedUpgradeIsClosedAsStrandedOnceAHostIsTouched() throws Exception {
    start(withoutResends());
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    host.next(Action.UPGRADE);

    workflow().terminate("stuck");

    assertThat(awaitEnd().outcome()).isEqualTo(Outcome.STRANDED);
    assertThat(awaitEnd().hosts()).contains("1.4.0").contains("touched");
  }

  @Test
  void resetSendsNothingTwice() throws Exception {
    start(withoutResends());
    String firstRun = workflow().describe().getExecution().getRunId();
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    host.answer(host.next(Action.UPGRADE), "1.5.0", new Done());
    awaitHeartbeatIsAwaited();
    assertThat(run()).contains(firstRun);

    resetToBeginning();
    awaitHeartbeatIsAwaited();
    host.beat("1.5.0");

    assertThat(awaitEnd().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(host.all())
        .extracting(Command::action)
        .containsExactly(Action.PREPARE, Action.UPGRADE);
    assertThat(run()).contains(workflow().describe().getExecution().getRunId());
    assertThat(run()).isNotEqualTo(Optional.of(firstRun));
  }

  @Test
  void resetWhileAHostWorksRingsWithTheSameCommand() throws Exception {
    start(withoutResends());
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    Command upgrade = host.next(Action.UPGRADE);
    await().until(() -> waitsFor().equals(Optional.of(Step.UPGRADE)));

    resetToBeginning();

    // The new run has looked by now whether there is anything to do.
    await().until(() -> waitsFor().equals(Optional.of(Step.UPGRADE)));
    assertThat(host.next(Action.UPGRADE)).isEqualTo(upgrade);
    host.beat("1.5.0");
    host.answer(upgrade, "1.5.0", new Done());
    assertThat(awaitEnd().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void resetOfAnUpgradeThatHasEndedSendsNothingNew() throws Exception {
    start(withoutResends());
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    Command upgrade = host.next(Action.UPGRADE);
    host.beat("1.5.0");
    host.answer(upgrade, "1.5.0", new Done());
    assertThat(awaitEnd().outcome()).isEqualTo(Outcome.UPGRADED);
    ending();
    // Somebody has brought another version meanwhile.
    host.beat("1.6.0");

    resetTo(lastTask());

    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(host.all())
        .extracting(Command::action)
        .containsExactly(Action.PREPARE, Action.UPGRADE);
    assertThat(awaitEnd().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  private UpgradeEnd awaitEnd() {
    await().atMost(Duration.ofSeconds(75)).until(() -> recorded().isPresent());
    return recorded().orElseThrow();
  }

  private Optional<String> run() {
    return world().tables().upgrades().find(device.tenant(), upgrade).flatMap(UpgradeRow::run);
  }

  private void resetToBeginning() {
    resetTo(tasks().getFirst());
  }

  private long lastTask() {
    return tasks().getLast();
  }

  private List<Long> tasks() {
    return client().fetchHistory("upgrade/" + device).getEvents().stream()
        .filter(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED)
        .map(HistoryEvent::getEventId)
        .toList();
  }

  private void resetTo(long task) {
    client()
        .getWorkflowServiceStubs()
        .blockingStub()
        .resetWorkflowExecution(
            ResetWorkflowExecutionRequest.newBuilder()
                .setNamespace(world().stack().temporal().namespace())
                .setWorkflowExecution(workflow().describe().getExecution())
                .setReason("a test")
                .setWorkflowTaskFinishEventId(task)
                .setRequestId(UUID.randomUUID().toString())
                .build());
  }

  private WorkflowClient client() {
    return world().wiring().temporal().requestClient();
  }
}
