package dev.uplift.activities.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.HostUpgradeScenario;
import dev.uplift.activities.InProcessServer;
import dev.uplift.activities.temporal.TemporalClients;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Step;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult.Cancelled;
import dev.uplift.protocol.CommandResult.Done;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRow;
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

/// Operations of Temporal's own tools.
final class ResetAndTerminateTest extends HostUpgradeScenario {
  @Override
  protected InProcessServer server() {
    return InProcessServer.shared();
  }

  @Test
  void cancelBeforeAHostIsChangedIsAnAbort() throws Exception {
    start(timeouts(Duration.ofMinutes(5)));
    Command prepare = host.awaitCommand(CommandAction.PREPARE);

    workflow().cancel("not today");
    host.awaitCommand(CommandAction.CANCEL);
    host.answer(prepare, "1.4.0", new Cancelled());

    assertThat(awaitEnd().outcome()).isEqualTo(Outcome.ABORTED);
    assertThat(awaitEnd().reason().orElseThrow().text()).contains("not today");
    assertThatThrownBy(this::result).isInstanceOf(WorkflowFailedException.class);
  }

  @Test
  void cancelAfterAHostWasChangedRollsItBack() throws Exception {
    start(timeouts(Duration.ofMinutes(5)));
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    Command upgrade = host.awaitCommand(CommandAction.UPGRADE);

    workflow().cancel("not today");
    host.awaitCommand(CommandAction.CANCEL);
    host.sendHeartbeat("1.5.0");
    host.answer(upgrade, "1.5.0", new Done());
    host.answer(host.awaitCommand(CommandAction.INSPECT), "1.5.0", new Done());
    host.answer(host.awaitCommand(CommandAction.ROLLBACK), "1.4.0", new Done());
    untilHeartbeatIsAwaited();
    host.sendHeartbeat("1.4.0");

    assertThat(awaitEnd().outcome()).isEqualTo(Outcome.ROLLED_BACK);
  }

  @Test
  void terminatedUpgradeIsRecordedAsAbortedIfNoHostWasChanged() throws Exception {
    start(withoutResends());
    host.awaitCommand(CommandAction.PREPARE);

    workflow().terminate("stuck");

    assertThat(awaitEnd().outcome()).isEqualTo(Outcome.ABORTED);
    assertThat(awaitEnd().reason().orElseThrow().code()).isEqualTo("terminated");
    assertThat(awaitEnd().reason().orElseThrow().text()).contains("stuck");
    await("commands without a waiting activity are withdrawn")
        .until(() -> {
          int before = host.allCommands().size();
          host.readCommandAgain();
          return host.allCommands().size() == before;
        });
  }

  @Test
  void terminatedUpgradeIsRecordedAsStrandedIfAHostWasChanged() throws Exception {
    start(withoutResends());
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    host.awaitCommand(CommandAction.UPGRADE);

    workflow().terminate("stuck");

    assertThat(awaitEnd().outcome()).isEqualTo(Outcome.STRANDED);
    assertThat(awaitEnd().hostReports()).contains("1.4.0").contains("changed");
  }

  @Test
  void resetSendsNoCommandTwice() throws Exception {
    start(withoutResends());
    String firstRun = workflow().describe().getExecution().getRunId();
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    host.answer(host.awaitCommand(CommandAction.UPGRADE), "1.5.0", new Done());
    untilHeartbeatIsAwaited();
    assertThat(run()).contains(firstRun);

    resetToBeginning();
    untilHeartbeatIsAwaited();
    host.sendHeartbeat("1.5.0");

    assertThat(awaitEnd().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(host.allCommands())
        .extracting(Command::action)
        .containsExactly(CommandAction.PREPARE, CommandAction.UPGRADE);
    assertThat(run()).contains(workflow().describe().getExecution().getRunId());
    assertThat(run()).isNotEqualTo(Optional.of(firstRun));
  }

  @Test
  void resetWhileAHostWorksPublishesTheSameCommand() throws Exception {
    start(withoutResends());
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    Command upgrade = host.awaitCommand(CommandAction.UPGRADE);
    await().until(() -> currentWait().equals(Optional.of(Step.UPGRADE)));

    resetToBeginning();

    // By now the new run has checked whether there is anything to do.
    await().until(() -> currentWait().equals(Optional.of(Step.UPGRADE)));
    assertThat(host.awaitCommand(CommandAction.UPGRADE)).isEqualTo(upgrade);
    host.sendHeartbeat("1.5.0");
    host.answer(upgrade, "1.5.0", new Done());
    assertThat(awaitEnd().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void resetOfAnUpgradeThatHasEndedSendsNothingNew() throws Exception {
    start(withoutResends());
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    Command upgrade = host.awaitCommand(CommandAction.UPGRADE);
    host.sendHeartbeat("1.5.0");
    host.answer(upgrade, "1.5.0", new Done());
    assertThat(awaitEnd().outcome()).isEqualTo(Outcome.UPGRADED);
    result();
    // Another version was installed meanwhile.
    host.sendHeartbeat("1.6.0");

    resetTo(lastTask());

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(host.allCommands())
        .extracting(Command::action)
        .containsExactly(CommandAction.PREPARE, CommandAction.UPGRADE);
    assertThat(awaitEnd().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  private UpgradeEnd awaitEnd() {
    await().atMost(Duration.ofSeconds(75)).until(() -> recordedEnd().isPresent());
    return recordedEnd().orElseThrow();
  }

  private Optional<String> run() {
    return server().repositories().upgrades().find(device.tenant(), upgrade).map(UpgradeRow::runId);
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
                .setNamespace(server().stack().temporal().namespace())
                .setWorkflowExecution(workflow().describe().getExecution())
                .setReason("a test")
                .setWorkflowTaskFinishEventId(task)
                .setRequestId(UUID.randomUUID().toString())
                .build());
  }

  private WorkflowClient client() {
    return server().bean(TemporalClients.class).requestClient();
  }
}
