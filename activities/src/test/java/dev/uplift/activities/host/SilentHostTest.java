package dev.uplift.activities.host;

import static dev.uplift.fleet.Step.AWAIT_HOST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.HostUpgradeScenario;
import dev.uplift.activities.InProcessServer;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.UpgradeAction;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult.Done;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A host that has prepared and is not heard when its turn comes.
final class SilentHostTest extends HostUpgradeScenario {
  private static final Operator ANN = new Operator("ann", "wrong site");

  @Override
  protected InProcessServer server() {
    return InProcessServer.shared();
  }

  @Test
  void nothingIsSentUntilAHeartbeatComes() throws Exception {
    start(withoutResends());
    preparesAndFallsSilent();
    untilItIsAwaited();
    assertThat(host.allCommands()).extracting(Command::action).doesNotContain(CommandAction.UPGRADE);

    host.sendHeartbeat("1.4.0");

    Command upgrade = host.awaitCommand(CommandAction.UPGRADE);
    host.sendHeartbeat("1.5.0");
    host.answer(upgrade, "1.5.0", new Done());
    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void abortSendsNothingEither() throws Exception {
    start(withoutResends());
    preparesAndFallsSilent();
    untilItIsAwaited();
    int before = host.allCommands().size();

    server().bean(UpgradeWorkflowClient.class).update(device, upgrade, new UpgradeAction.Abort(), ANN);

    assertThat(result().outcome()).isEqualTo(Outcome.ABORTED);
    assertThat(host.allCommands()).hasSize(before);
  }

  private void preparesAndFallsSilent() throws Exception {
    Command prepare = host.awaitCommand(CommandAction.PREPARE);
    host.publishEvent(host.outcome(prepare.id(), prepare.epoch(), "1.4.0", new Done()));
  }

  private void untilItIsAwaited() {
    await()
        .atMost(Duration.ofSeconds(90))
        .until(() ->
            currentWait().equals(Optional.of(AWAIT_HOST))
                && server().repositories().heartbeatWaits().find(device.tenant(), host.id()).isPresent());
  }
}
