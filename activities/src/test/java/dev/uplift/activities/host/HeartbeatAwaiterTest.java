package dev.uplift.activities.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.HostUpgradeScenario;
import dev.uplift.activities.InProcessServer;
import dev.uplift.activities.NatsTestHost;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Step;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult.Done;
import dev.uplift.protocol.CommandResult.RebootRequired;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.Order;
import dev.uplift.services.presence.Presence;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class HeartbeatAwaiterTest extends HostUpgradeScenario {
  @Override
  protected InProcessServer server() {
    return InProcessServer.shared();
  }

  @Test
  void stepIsDoneOnlyOnceTheHeartbeatAgrees() throws Exception {
    start(withoutResends());
    upgradeWithReboot();
    untilHeartbeatIsAwaited();

    host.sendHeartbeat(host.instance(), "boot-1", "1.5.0", false);
    stillAwaited();
    host.sendHeartbeat("1.5.0");

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void heartbeatFromBeforeTheWaitIsEnough() throws Exception {
    start(withoutResends());
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    Command upgrade = host.awaitCommand(CommandAction.UPGRADE);
    host.sendHeartbeat("1.5.0");
    host.answer(upgrade, "1.5.0", new Done());

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void secondHeartbeatWithAnotherVersionIsAMismatch() throws Exception {
    start(withoutResends());
    upgradeWithReboot();
    untilHeartbeatIsAwaited();

    host.sendHeartbeat("1.4.0");
    stillAwaited();
    host.sendHeartbeat("1.4.0");
    host.answer(host.awaitCommand(CommandAction.INSPECT), "1.4.0", new Done());
    host.answer(host.awaitCommand(CommandAction.ROLLBACK), "1.4.0", new Done());
    host.sendHeartbeat("1.4.0");

    assertThat(result().outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result().reason().orElseThrow().code()).isEqualTo("version-mismatch");
  }

  @Test
  void heartbeatOfAnotherHostDoesNotCount() throws Exception {
    start(withoutResends());
    upgradeWithoutReboot();
    untilHeartbeatIsAwaited();

    NatsTestHost other = connect("right");
    other.sendHeartbeat("1.5.0");

    stillAwaited();
    host.sendHeartbeat("1.5.0");
    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void heartbeatOfAnotherAgentOnTheHostDoesNotCount() throws Exception {
    start(withoutResends());
    host.sendHeartbeat("1.4.0");
    upgradeWithoutReboot();
    untilHeartbeatIsAwaited();

    // For example a copy of the host's disk in another machine.
    host.sendHeartbeat("copy", "boot-7", "1.5.0", false);
    stillAwaited();
    host.sendHeartbeat("1.4.0");
    host.sendHeartbeat("copy", "boot-7", "1.5.0", false);
    host.sendHeartbeat("copy", "boot-7", "1.5.0", false);
    stillAwaited();
    host.sendHeartbeat("1.5.0");

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void restartedAgentCountsFromItsSecondHeartbeat() throws Exception {
    start(withoutResends());
    host.sendHeartbeat("1.4.0");
    upgradeWithoutReboot();
    untilHeartbeatIsAwaited();

    host.restartAgent();
    host.sendHeartbeat("1.5.0");
    stillAwaited();
    host.sendHeartbeat("1.5.0");

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void heartbeatOfAnAgentThatIsNotRunningYetDoesNotCount() throws Exception {
    start(withoutResends());
    upgradeWithoutReboot();
    untilHeartbeatIsAwaited();

    host.sendHeartbeatInState(State.STANDBY, "1.5.0");

    stillAwaited();
    host.sendHeartbeat("1.5.0");
    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void heartbeatsThatStoppedBeforeTheWaitDoNotCount() throws Exception {
    start(withoutResends());
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    Command upgrade = host.awaitCommand(CommandAction.UPGRADE);
    host.sendHeartbeat("1.5.0");
    await()
        .atMost(InProcessServer.SILENT_AFTER.multipliedBy(3))
        .until(() ->
            server().bean(Presence.class).heartbeats(device.tenant(), host.id()).newest().stream()
                .noneMatch(beat -> beat.receivedAt().isAfter(server().bean(Presence.class).silenceCutoff())));
    host.answer(upgrade, "1.5.0", new Done());

    untilHeartbeatIsAwaited();
    stillAwaited();
    host.sendHeartbeat("1.5.0");
    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  private void upgradeWithReboot() throws Exception {
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    host.answer(host.awaitCommand(CommandAction.UPGRADE), "1.4.0", new RebootRequired());
    Command reboot = host.awaitCommand(CommandAction.REBOOT);
    assertThat(reboot.order()).isEqualTo(new Order.Reboot("boot-1"));
    host.reboot("boot-2");
    host.answer(reboot, "1.5.0", new Done());
  }

  private void upgradeWithoutReboot() throws Exception {
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    host.answer(host.awaitCommand(CommandAction.UPGRADE), "1.5.0", new Done());
  }

  /// Asserts that the wait lasts longer than a heartbeat takes to be processed.
  private void stillAwaited() {
    await()
        .during(Duration.ofMillis(500))
        .atMost(Duration.ofSeconds(10))
        .until(() -> currentWait().filter(step -> step == Step.AWAIT_HEARTBEAT).isPresent());
  }
}
