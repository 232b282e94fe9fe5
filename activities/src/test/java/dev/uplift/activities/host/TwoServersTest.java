package dev.uplift.activities.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.activities.Scenario;
import dev.uplift.activities.TestServers;
import dev.uplift.activities.World;
import dev.uplift.fleet.Outcome;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Result.Done;
import dev.uplift.protocol.Result.RebootRequired;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.temporaldev.Stack;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Two servers on one database, one NATS, one Temporal.
final class TwoServersTest extends Scenario {
  private static Stack stack;
  private static World first;
  private static World second;

  @BeforeAll
  static void begin() {
    stack = TestServers.open();
    stack.nats().start();
    stack.temporal().start();
    DatabaseSettings shared = DatabaseSettings.inMemory();
    first = new World(stack, shared).works();
    second = new World(stack, shared).works();
  }

  @AfterAll
  static void end() {
    second.close();
    stack.close();
  }

  @Override
  protected World world() {
    return second;
  }

  @Test
  void oneMayGoAtAnyTimeAndNothingIsSentTwice() throws Exception {
    start(pace(Duration.ofMinutes(5)));
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    host.answer(host.next(Action.UPGRADE), "1.4.0", new RebootRequired());
    Command reboot = host.next(Action.REBOOT);
    host.boots("boot-2");
    host.answer(reboot, "1.5.0", new Done());
    awaitHeartbeatIsAwaited();

    first.close();
    host.beat("1.5.0");

    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(host.all().stream().map(Command::id).distinct()).hasSize(3);
  }
}
