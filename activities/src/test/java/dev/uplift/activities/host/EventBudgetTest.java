package dev.uplift.activities.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.HostUpgradeScenario;
import dev.uplift.activities.InProcessServer;
import dev.uplift.fleet.Outcome;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.CommandResult.Done;
import dev.uplift.protocol.CommandResult.RebootRequired;
import dev.uplift.services.presence.Presence;
import org.junit.jupiter.api.Test;

/// The number of Temporal events of an undisturbed upgrade of one host, on a real server. The workflow is not queried
/// meanwhile, because queries would add events.
final class EventBudgetTest extends HostUpgradeScenario {
  @Override
  protected InProcessServer server() {
    return InProcessServer.shared();
  }

  @Test
  void oneHostCostsAtMost22EventsOf5500Bytes() throws Exception {
    start(withoutResends());
    prepares();
    upgrades(new Done(), false);

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(eventsInHistory()).isLessThanOrEqualTo(22);
    assertThat(bytesOfHistory()).isLessThanOrEqualTo(5_500);
  }

  @Test
  void rebootCostsAtMostSixMore() throws Exception {
    start(withoutResends());
    prepares();
    upgrades(new RebootRequired(), false);

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(eventsInHistory()).isLessThanOrEqualTo(28);
  }

  @Test
  void commitCostsAtMostSixMore() throws Exception {
    start(withoutResends());
    prepares();
    upgrades(new RebootRequired(), true);
    host.answer(host.awaitCommand(CommandAction.COMMIT), "1.5.0", new Done());

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(eventsInHistory()).isLessThanOrEqualTo(34);
  }

  private void prepares() throws Exception {
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
  }

  private boolean shows150() {
    return server()
        .bean(Presence.class)
        .activeInstance(device.tenant(), host.id())
        .filter(beat -> beat.heartbeat().version(InProcessServer.PACKAGE).equals("1.5.0"))
        .isPresent();
  }

  /// Sends the heartbeat before the last answer, so that the workflow does not wait for it.
  private void upgrades(CommandResult answer, boolean trial) throws Exception {
    Command last = host.awaitCommand(CommandAction.UPGRADE);
    if (answer instanceof RebootRequired) {
      host.answer(last, "1.4.0", answer);
      last = host.awaitCommand(CommandAction.REBOOT);
      host.reboot("boot-2");
    }
    host.sendHeartbeat("1.5.0", trial);
    await().until(this::shows150);
    host.setOnTrial(trial);
    host.answer(last, "1.5.0", new Done());
    host.setOnTrial(false);
  }
}
