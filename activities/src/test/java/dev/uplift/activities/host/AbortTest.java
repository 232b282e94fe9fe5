package dev.uplift.activities.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.Scenario;
import dev.uplift.activities.World;
import dev.uplift.activities.temporal.Steered;
import dev.uplift.fleet.Outcome;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Result.Cancelled;
import dev.uplift.protocol.Result.Done;
import dev.uplift.workflows.device.Operator;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class AbortTest extends Scenario {
  private static final Operator ANN = new Operator("ann", "wrong site");

  @Override
  protected World world() {
    return World.shared();
  }

  @Test
  void cancelIsSentInPlaceOfTheCommandAndTheAnswerToTheCommandEndsTheWait() throws Exception {
    start(pace(Duration.ofMinutes(5)));
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    Command upgrade = host.next(Action.UPGRADE);

    assertThat(abort()).isInstanceOf(Steered.Done.class);

    Command cancel = host.next(Action.CANCEL);
    assertThat(cancel.cancels()).isEqualTo(upgrade.id());
    assertThat(host.next(Action.CANCEL)).as("what is sent again").isEqualTo(cancel);
    int before = host.all().size();
    host.answer(upgrade, "1.4.0", new Cancelled());
    goBack();
    assertThat(ending().outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(host.all().subList(before, host.all().size()))
        .extracting(Command::action)
        .doesNotContain(Action.UPGRADE);
  }

  @Test
  void hostThatDoesNotAnswerAnAbortIsGivenUpAfterTheGrace() throws Exception {
    // Only the grace can end it: no step does so within this test's time.
    start(pace(Duration.ofMinutes(10), Duration.ofSeconds(1), Duration.ofSeconds(2)));
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    Command upgrade = host.next(Action.UPGRADE);

    abort();
    goBack();

    assertThat(ending().outcome()).isEqualTo(Outcome.ROLLED_BACK);
    host.answer(upgrade, "1.5.0", new Done());
    await()
        .until(() ->
            world()
                .tables()
                .commands()
                .find(device.tenant(), host.id(), upgrade.id())
                .orElseThrow()
                .outcome()
                .isPresent());
    assertThat(recorded().orElseThrow().outcome()).isEqualTo(Outcome.ROLLED_BACK);
  }

  @Test
  void abortBeforeAHostIsTouchedLeavesItAsItIs() throws Exception {
    start(pace(Duration.ofMinutes(5)));
    Command prepare = host.next(Action.PREPARE);

    abort();
    host.next(Action.CANCEL);
    host.answer(prepare, "1.4.0", new Cancelled());

    assertThat(ending().outcome()).isEqualTo(Outcome.ABORTED);
    assertThat(ending().reason().orElseThrow().text()).isEqualTo("ann: wrong site");
  }

  private Steered abort() {
    return world().wiring().steering().abort(device, upgrade, ANN);
  }

  private void goBack() throws Exception {
    host.answer(host.next(Action.INSPECT), "1.4.0", new Done());
    Command rollback = host.next(Action.ROLLBACK);
    host.beat("1.4.0");
    host.answer(rollback, "1.4.0", new Done());
  }
}
