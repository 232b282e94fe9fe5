package dev.uplift.activities.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.HostByHand;
import dev.uplift.activities.Scenario;
import dev.uplift.activities.World;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Step;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.Result.Done;
import dev.uplift.protocol.Result.RebootRequired;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class HeartbeatTest extends Scenario {
  @Override
  protected World world() {
    return World.shared();
  }

  @Test
  void hostIsBelievedOnlyOnceItsHeartbeatAgrees() throws Exception {
    start(withoutResends());
    upgradeWithReboot();
    awaitHeartbeatIsAwaited();

    host.beat(host.instance(), "boot-1", "1.5.0", false);
    stillAwaited();
    host.beat("1.5.0");

    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void heartbeatThatWasHeardBeforeTheWaitIsEnough() throws Exception {
    start(withoutResends());
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    Command upgrade = host.next(Action.UPGRADE);
    host.beat("1.5.0");
    host.answer(upgrade, "1.5.0", new Done());

    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void secondHeartbeatWithAnotherVersionIsAMismatch() throws Exception {
    start(withoutResends());
    upgradeWithReboot();
    awaitHeartbeatIsAwaited();

    host.beat("1.4.0");
    stillAwaited();
    host.beat("1.4.0");
    host.answer(host.next(Action.INSPECT), "1.4.0", new Done());
    host.answer(host.next(Action.ROLLBACK), "1.4.0", new Done());
    host.beat("1.4.0");

    assertThat(ending().outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(ending().reason().orElseThrow().code()).isEqualTo("version-mismatch");
  }

  @Test
  void heartbeatOfAnotherHostDoesNotCount() throws Exception {
    start(withoutResends());
    upgradeWithoutReboot();
    awaitHeartbeatIsAwaited();

    HostByHand other = connect("right");
    other.beat("1.5.0");

    stillAwaited();
    host.beat("1.5.0");
    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void heartbeatOfAnotherAgentOnTheHostDoesNotCount() throws Exception {
    start(withoutResends());
    host.beat("1.4.0");
    upgradeWithoutReboot();
    awaitHeartbeatIsAwaited();

    // A copy of the host's disk in another machine, say.
    host.beat("copy", "boot-7", "1.5.0", false);
    stillAwaited();
    host.beat("1.4.0");
    host.beat("copy", "boot-7", "1.5.0", false);
    host.beat("copy", "boot-7", "1.5.0", false);
    stillAwaited();
    host.beat("1.5.0");

    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void agentThatWasStartedAnewCountsFromItsSecondHeartbeat() throws Exception {
    start(withoutResends());
    host.beat("1.4.0");
    upgradeWithoutReboot();
    awaitHeartbeatIsAwaited();

    host.restarts();
    host.beat("1.5.0");
    stillAwaited();
    host.beat("1.5.0");

    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void heartbeatOfAnAgentThatDoesNotWorkYetDoesNotCount() throws Exception {
    start(withoutResends());
    upgradeWithoutReboot();
    awaitHeartbeatIsAwaited();

    host.beatIn(State.STANDBY, "1.5.0");

    stillAwaited();
    host.beat("1.5.0");
    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void heartbeatsThatStoppedBeforeTheyWereAwaitedSayNothing() throws Exception {
    start(withoutResends());
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    Command upgrade = host.next(Action.UPGRADE);
    host.beat("1.5.0");
    await()
        .atMost(World.SILENT_AFTER.multipliedBy(3))
        .until(() ->
            world().wiring().presence().beats(device.tenant(), host.id()).newest().stream()
                .noneMatch(beat -> beat.at().isAfter(world().wiring().presence().silentUpTo())));
    host.answer(upgrade, "1.5.0", new Done());

    awaitHeartbeatIsAwaited();
    stillAwaited();
    host.beat("1.5.0");
    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  private void upgradeWithReboot() throws Exception {
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    host.answer(host.next(Action.UPGRADE), "1.4.0", new RebootRequired());
    Command reboot = host.next(Action.REBOOT);
    assertThat(reboot.expect().bootId()).isEqualTo("boot-1");
    host.boots("boot-2");
    host.answer(reboot, "1.5.0", new Done());
  }

  private void upgradeWithoutReboot() throws Exception {
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    host.answer(host.next(Action.UPGRADE), "1.5.0", new Done());
  }

  /// Longer than a beat takes to be heard and acted upon.
  private void stillAwaited() {
    await()
        .during(Duration.ofMillis(500))
        .atMost(Duration.ofSeconds(10))
        .until(() -> waitsFor().filter(step -> step == Step.AWAIT_HEARTBEAT).isPresent());
  }
}
