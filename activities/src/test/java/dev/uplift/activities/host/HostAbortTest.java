package dev.uplift.activities.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.HostUpgradeScenario;
import dev.uplift.activities.InProcessServer;
import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.UpgradeAction;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult.Cancelled;
import dev.uplift.protocol.CommandResult.Done;
import dev.uplift.protocol.Order;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class HostAbortTest extends HostUpgradeScenario {
  private static final Operator ANN = new Operator("ann", "wrong site");

  @Override
  protected InProcessServer server() {
    return InProcessServer.shared();
  }

  @Test
  void cancelReplacesTheCommandWhoseAnswerEndsTheWait() throws Exception {
    start(timeouts(Duration.ofMinutes(5)));
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    Command upgrade = host.awaitCommand(CommandAction.UPGRADE);

    assertThat(abort()).isInstanceOf(UpdateResult.Completed.class);

    Command cancel = host.awaitCommand(CommandAction.CANCEL);
    assertThat(cancel.order())
        .isInstanceOfSatisfying(Order.Cancel.class, order -> assertThat(order.commandId()).isEqualTo(upgrade.id()));
    assertThat(host.awaitCommand(CommandAction.CANCEL)).as("the re-sent command").isEqualTo(cancel);
    int before = host.allCommands().size();
    host.answer(upgrade, "1.4.0", new Cancelled());
    goBack();
    assertThat(result().outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(host.allCommands().subList(before, host.allCommands().size()))
        .extracting(Command::action)
        .doesNotContain(CommandAction.UPGRADE);
  }

  @Test
  void hostThatDoesNotAnswerAnAbortIsNotAwaitedBeyondTheGracePeriod() throws Exception {
    // Only the grace period can end it: no step times out within the test.
    start(timeouts(Duration.ofMinutes(10), Duration.ofSeconds(1), Duration.ofSeconds(2)));
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    Command upgrade = host.awaitCommand(CommandAction.UPGRADE);

    abort();
    goBack();

    assertThat(result().outcome()).isEqualTo(Outcome.ROLLED_BACK);
    host.answer(upgrade, "1.5.0", new Done());
    await()
        .until(() ->
            server()
                .repositories()
                .commands()
                .find(device.tenant(), host.id(), upgrade.id())
                .orElseThrow()
                .outcome()
                .isPresent());
    assertThat(recordedEnd().orElseThrow().outcome()).isEqualTo(Outcome.ROLLED_BACK);
  }

  @Test
  void abortBeforeAHostIsChangedLeavesItUnchanged() throws Exception {
    start(timeouts(Duration.ofMinutes(5)));
    Command prepare = host.awaitCommand(CommandAction.PREPARE);

    abort();
    host.awaitCommand(CommandAction.CANCEL);
    host.answer(prepare, "1.4.0", new Cancelled());

    assertThat(result().outcome()).isEqualTo(Outcome.ABORTED);
    assertThat(result().reason().orElseThrow().message()).isEqualTo("ann: wrong site");
  }

  private UpdateResult abort() {
    return server().bean(UpgradeWorkflowClient.class).update(device, upgrade, new UpgradeAction.Abort(), ANN);
  }

  private void goBack() throws Exception {
    host.answer(host.awaitCommand(CommandAction.INSPECT), "1.4.0", new Done());
    Command rollback = host.awaitCommand(CommandAction.ROLLBACK);
    host.sendHeartbeat("1.4.0");
    host.answer(rollback, "1.4.0", new Done());
  }
}
