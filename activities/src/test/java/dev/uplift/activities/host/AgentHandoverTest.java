package dev.uplift.activities.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.HostUpgradeScenario;
import dev.uplift.activities.InProcessServer;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Step;
import dev.uplift.fleet.UpgradeAction;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult.Done;
import dev.uplift.protocol.CommandResult.Failed;
import dev.uplift.protocol.CommandResult.HandoverRequired;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.Order;
import dev.uplift.protocol.WireErrorClass;
import dev.uplift.store.command.CommandRow;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// One agent of a host hands over to its successor.
final class AgentHandoverTest extends HostUpgradeScenario {
  private final String next = "next-" + UUID.randomUUID();
  private String old = "";

  @Override
  protected InProcessServer server() {
    return InProcessServer.shared();
  }

  @BeforeEach
  void oldAgentIsActive() throws Exception {
    old = host.instance();
    host.sendHeartbeat("1.4.0");
  }

  @Test
  void theStopNamesTheOldAgentOnceTheNewOneStandsBy() throws Exception {
    start(withoutResends());
    handsOver();
    standsBy();
    Command stop = host.awaitCommand(CommandAction.STOP);
    assertThat(stop.instance()).isEqualTo(old);
    assertThat(stop.order()).isEqualTo(new Order.Stop("os 1.5.0 takes over", Duration.ofSeconds(5)));
    host.answer(stop, "1.4.0", new Done());
    takesOver();
    host.answer(host.awaitCommand(CommandAction.COMMIT), "1.5.0", new Done());

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(actions())
        .containsExactly(CommandAction.PREPARE, CommandAction.UPGRADE, CommandAction.STOP, CommandAction.COMMIT);
    assertThat(eventsInHistory()).isLessThanOrEqualTo(29 + 2 * 6 + 6);
  }

  @Test
  void standbyFromBeforeTheWaitIsEnough() throws Exception {
    start(withoutResends());
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    Command upgrade = host.awaitCommand(CommandAction.UPGRADE);
    host.sendHeartbeatInState(State.CUTOVER_READY, "1.4.0");
    standsBy();
    host.answer(upgrade, "1.4.0", new HandoverRequired());

    assertThat(host.awaitCommand(CommandAction.STOP).instance()).isEqualTo(old);
  }

  @Test
  void standbyAgentMustHaveTheWantedVersionAndBeOnline() throws Exception {
    start(withoutResends());
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    Command upgrade = host.awaitCommand(CommandAction.UPGRADE);
    // Left over from an earlier attempt.
    host.sendHeartbeatOf("gone", State.RUNNING, "1.5.0", false);
    host.sendHeartbeatInState(State.CUTOVER_READY, "1.4.0");
    host.answer(upgrade, "1.4.0", new HandoverRequired());
    awaits(Step.AWAIT_SUCCESSOR);

    host.sendHeartbeatOf(next, State.STANDBY, "1.3.0", true);
    host.sendHeartbeatOf(next, State.STANDBY, "1.3.0", true);
    host.sendHeartbeatInState(State.CUTOVER_READY, "1.4.0");
    stillAwaits(Step.AWAIT_SUCCESSOR);
    standsBy();

    host.awaitCommand(CommandAction.STOP);
  }

  @Test
  void unansweredStopEndsWithTheHeartbeatOfTheSuccessor() throws Exception {
    start(withoutResends());
    handsOver();
    standsBy();
    Command stop = host.awaitCommand(CommandAction.STOP);
    awaits(Step.STOP);
    takesOver();

    host.answer(host.awaitCommand(CommandAction.COMMIT), "1.5.0", new Done());
    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(row(stop).outcome()).isEmpty();
  }

  @Test
  void lateOrRepeatedAnswersToAStopChangeNothing() throws Exception {
    start(withoutResends());
    handsOver();
    standsBy();
    Command stop = host.awaitCommand(CommandAction.STOP);
    awaits(Step.STOP);
    takesOver();
    Command commit = host.awaitCommand(CommandAction.COMMIT);

    // Like an agent that finds it started.
    host.answer(stop, "1.5.0", new Done());
    host.answer(stop, "1.5.0", new Done());
    await().atMost(Duration.ofSeconds(75)).until(() -> row(stop).outcome().isPresent());
    host.answer(commit, "1.5.0", new Done());

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void noStopIsSentIfTheOldAgentHasDied() throws Exception {
    start(withoutResends());
    handsOver();
    awaits(Step.AWAIT_SUCCESSOR);
    takesOver();
    host.answer(host.awaitCommand(CommandAction.COMMIT), "1.5.0", new Done());

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(actions()).doesNotContain(CommandAction.STOP);
  }

  @Test
  void rollbackByTheOldAgentHasItsReason() throws Exception {
    start(withoutResends());
    handsOver();
    awaits(Step.AWAIT_SUCCESSOR);

    host.publishInfo("1.4.0", "1.5.0: no heartbeat of it within 60 s");
    host.sendHeartbeat("1.4.0");
    stillAwaits(Step.AWAIT_SUCCESSOR);
    host.sendHeartbeat("1.4.0");
    rollsBack();

    assertThat(result().outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result().reason().orElseThrow().code()).isEqualTo("rolled-back");
    assertThat(result().reason().orElseThrow().message())
        .isEqualTo(host.id() + " runs 1.4.0 again: 1.5.0: no heartbeat of it within 60 s");
  }

  @Test
  void rollbackByTheOldAgentNeedsNoAnswerToTheStop() throws Exception {
    start(withoutResends());
    handsOver();
    standsBy();
    host.awaitCommand(CommandAction.STOP);
    awaits(Step.STOP);

    host.sendHeartbeat("1.4.0");
    host.sendHeartbeat("1.4.0");
    rollsBack();

    assertThat(result().outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result().reason().orElseThrow().code()).isEqualTo("version-mismatch");
  }

  @Test
  void failedStopLeadsToARollback() throws Exception {
    start(withoutResends());
    handsOver();
    standsBy();
    host.answer(host.awaitCommand(CommandAction.STOP), "1.4.0", failed("no-successor", WireErrorClass.FINAL));
    host.sendHeartbeat("1.4.0");
    rollsBack();

    assertThat(result().outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result().reason().orElseThrow().code()).isEqualTo("no-successor");
  }

  @Test
  void stopThatCameTooEarlyIsRequestedAgain() throws Exception {
    start(withoutResends());
    handsOver();
    standsBy();
    Command early = host.awaitCommand(CommandAction.STOP);
    host.answer(early, "1.4.0", failed("successor-not-ready", WireErrorClass.RETRYABLE));

    Command stop = host.awaitCommandAfter(early);

    assertThat(stop.action()).isEqualTo(CommandAction.STOP);
    assertThat(stop.instance()).isEqualTo(old);
    host.answer(stop, "1.4.0", new Done());
    takesOver();
    host.awaitCommand(CommandAction.COMMIT);
  }

  @Test
  void theRollbackIsAHandoverToo() throws Exception {
    start(withoutResends());
    handsOver();
    standsBy();
    host.answer(host.awaitCommand(CommandAction.STOP), "1.4.0", new Done());
    takesOver();
    host.answer(host.awaitCommand(CommandAction.COMMIT), "1.5.0", failed("no-link", WireErrorClass.FINAL));
    host.answer(host.awaitCommand(CommandAction.INSPECT), "1.5.0", new Done());
    Command rollback = host.awaitCommand(CommandAction.ROLLBACK);
    host.sendHeartbeatInState(State.CUTOVER_READY, "1.5.0");
    host.answer(rollback, "1.5.0", new HandoverRequired());
    String again = "again-" + UUID.randomUUID();
    host.sendHeartbeatOf(again, State.STANDBY, "1.4.0", false);
    Command stop = host.awaitCommand(CommandAction.STOP);
    assertThat(stop.instance()).isEqualTo(next);
    host.answer(stop, "1.5.0", new Done());
    host.sendHeartbeatInState(State.STOPPING, "1.5.0");
    host.sendHeartbeatOf(again, State.RUNNING, "1.4.0", false);

    assertThat(result().outcome()).isEqualTo(Outcome.ROLLED_BACK);
  }

  @Test
  void abortWithdrawsTheStop() throws Exception {
    start(withoutResends());
    handsOver();
    standsBy();
    Command stop = host.awaitCommand(CommandAction.STOP);

    server()
        .bean(UpgradeWorkflowClient.class)
        .update(device, upgrade, new UpgradeAction.Abort(), new Operator("ann", "wrong site"));
    assertThat(host.awaitCommand(CommandAction.CANCEL).order())
        .isInstanceOfSatisfying(Order.Cancel.class, cancel -> assertThat(cancel.commandId()).isEqualTo(stop.id()));
    host.answer(stop, "1.4.0", new dev.uplift.protocol.CommandResult.Cancelled());
    rollsBack();

    assertThat(result().outcome()).isEqualTo(Outcome.ROLLED_BACK);
  }

  private void handsOver() throws Exception {
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    Command upgrade = host.awaitCommand(CommandAction.UPGRADE);
    host.sendHeartbeatInState(State.CUTOVER_READY, "1.4.0");
    host.answer(upgrade, "1.4.0", new HandoverRequired());
  }

  private void standsBy() throws Exception {
    host.sendHeartbeatOf(next, State.STANDBY, "1.5.0", true);
  }

  private void takesOver() throws Exception {
    host.switchInstance(next);
    host.sendHeartbeatOf(next, State.RUNNING, "1.5.0", true);
  }

  /// Rolls back during the handover, with the old agent active.
  private void rollsBack() throws Exception {
    host.answer(host.awaitCommand(CommandAction.INSPECT), "1.4.0", new Done());
    Command rollback = host.awaitCommand(CommandAction.ROLLBACK);
    host.sendHeartbeat("1.4.0");
    host.answer(rollback, "1.4.0", new Done());
  }

  private List<CommandAction> actions() {
    return host.allCommands().stream().map(Command::action).distinct().toList();
  }

  private void awaits(Step step) {
    await()
        .atMost(Duration.ofSeconds(75))
        .until(() ->
            currentWait().equals(Optional.of(step))
                && server()
                    .repositories()
                    .heartbeatWaits()
                    .find(device.tenant(), host.id())
                    .filter(found -> found.step() == step)
                    .isPresent());
  }

  /// Asserts that the wait lasts longer than a heartbeat takes to be processed.
  private void stillAwaits(Step wanted) {
    await()
        .during(Duration.ofMillis(500))
        .atMost(Duration.ofSeconds(10))
        .until(() -> currentWait().filter(step -> step == wanted).isPresent());
  }

  private CommandRow row(Command command) {
    return server().repositories().commands().find(command.tenant(), host.id(), command.id()).orElseThrow();
  }

  private static Failed failed(String code, WireErrorClass wireErrorClass) {
    return new Failed(code, wireErrorClass, "for the test");
  }
}
