package dev.uplift.activities.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.activities.Scenario;
import dev.uplift.activities.World;
import dev.uplift.fleet.Outcome;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Result;
import dev.uplift.protocol.Result.Done;
import dev.uplift.protocol.Result.RebootRequired;
import org.junit.jupiter.api.Test;

/// What an undisturbed upgrade of one host costs Temporal, on a real server. Nobody asks the
/// workflow anything meanwhile, for that would cost too.
final class EventBudgetTest extends Scenario {
  @Override
  protected World world() {
    return World.shared();
  }

  @Test
  void oneHostCostsAtMost29Events() throws Exception {
    start(withoutResends());
    prepares();
    upgrades(new Done(), false);

    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(eventsInHistory()).isLessThanOrEqualTo(29);
  }

  @Test
  void rebootCostsAtMostSixMore() throws Exception {
    start(withoutResends());
    prepares();
    upgrades(new RebootRequired(), false);

    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(eventsInHistory()).isLessThanOrEqualTo(35);
  }

  @Test
  void commitCostsAtMostSixMore() throws Exception {
    start(withoutResends());
    prepares();
    upgrades(new RebootRequired(), true);
    host.answer(host.next(Action.COMMIT), "1.5.0", new Done());

    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(eventsInHistory()).isLessThanOrEqualTo(41);
  }

  private void prepares() throws Exception {
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
  }

  /// The heartbeat is on its way before the last answer, so it need not be waited for.
  private void upgrades(Result answer, boolean trial) throws Exception {
    Command last = host.next(Action.UPGRADE);
    if (answer instanceof RebootRequired) {
      host.answer(last, "1.4.0", answer);
      last = host.next(Action.REBOOT);
      host.boots("boot-2");
    }
    host.beat("1.5.0", trial);
    host.answer(last, "1.5.0", new Done());
  }
}
