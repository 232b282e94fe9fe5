package dev.uplift.activities.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.activities.HostUpgradeScenario;
import dev.uplift.activities.InProcessServer;
import dev.uplift.fleet.Outcome;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult.Done;
import dev.uplift.protocol.CommandResult.RebootRequired;
import dev.uplift.services.TestStacks;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.temporaldev.stack.Stack;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Two servers on one database, one NATS, one Temporal.
final class TwoServersTest extends HostUpgradeScenario {
  private static Stack stack;
  private static InProcessServer first;
  private static InProcessServer second;

  @BeforeAll
  static void begin() {
    stack = TestStacks.open();
    stack.nats().start();
    stack.temporal().start();
    DatabaseSettings shared = DatabaseSettings.h2InMemory();
    first = new InProcessServer(stack, shared).startWorker();
    second = new InProcessServer(stack, shared).startWorker();
  }

  @AfterAll
  static void end() {
    second.close();
    stack.close();
  }

  @Override
  protected InProcessServer server() {
    return second;
  }

  @Test
  void eitherServerMayStopAtAnyTimeAndNothingIsSentTwice() throws Exception {
    start(timeouts(Duration.ofMinutes(5)));
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    host.answer(host.awaitCommand(CommandAction.UPGRADE), "1.4.0", new RebootRequired());
    Command reboot = host.awaitCommand(CommandAction.REBOOT);
    host.reboot("boot-2");
    host.answer(reboot, "1.5.0", new Done());
    untilHeartbeatIsAwaited();

    first.close();
    host.sendHeartbeat("1.5.0");

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(host.allCommands().stream().map(Command::id).distinct()).hasSize(3);
  }
}
