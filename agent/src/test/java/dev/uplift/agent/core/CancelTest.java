package dev.uplift.agent.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.Result;
import org.junit.jupiter.api.Test;

final class CancelTest extends RigScenario {
  @Test
  void commandInWorkIsBrokenOffAndAnswersForItself() throws InterruptedException {
    var hold = new FakeDriver.Hold(new Result.Done());
    rig.driver.prepares = hold;
    rig.start();
    Command prepare = rig.send(Action.PREPARE);
    hold.begun.await();

    Command cancel = rig.send(rig.cancel(prepare.id()));

    assertThat(result(prepare)).isEqualTo(new Result.Cancelled());
    rig.settle();
    assertThat(rig.server.outcomes(cancel.id())).isEmpty();
  }

  @Test
  void commandThatMustNotBeBrokenOffAnswersHowItReallyEnded() throws InterruptedException {
    var hold = new FakeDriver.Hold(new Result.Done());
    rig.driver.upgrades =
        job -> {
          hold.begun.countDown();
          await().until(job::cancelled);
          return new Result.RebootRequired();
        };
    rig.start();
    Command upgrade = rig.send(Action.UPGRADE);
    hold.begun.await();

    rig.send(rig.cancel(upgrade.id()));

    assertThat(result(upgrade)).isEqualTo(new Result.RebootRequired());
  }

  @Test
  void cancelOfAnotherCommandDoesNotDisturbTheOneInWork() throws InterruptedException {
    var hold = new FakeDriver.Hold(new Result.Done());
    rig.driver.upgrades = hold;
    rig.start();
    Command upgrade = rig.send(Action.UPGRADE);
    hold.begun.await();

    rig.send(rig.cancel("some-other"));

    assertThat(result("some-other")).isEqualTo(new Result.Cancelled());
    assertThat(rig.server.outcomes(upgrade.id())).isEmpty();
    hold.letGo();
    assertThat(result(upgrade)).isEqualTo(new Result.Done());
  }

  @Test
  void commandThatWasNeverSeenIsSettledAndNeverDone() {
    rig.start();
    Command upgrade = rig.next(Action.UPGRADE);
    rig.send(rig.cancel(upgrade.id()));
    assertThat(result(upgrade)).isEqualTo(new Result.Cancelled());

    rig.send(upgrade);
    rig.settle();

    assertThat(rig.driver.log).isEmpty();
    assertThat(rig.server.outcomes(upgrade.id())).allMatch(said -> said.contains("cancelled"));
  }

  @Test
  void commandThatHasEndedAnswersAgain() {
    rig.start();
    Command upgrade = rig.send(Action.UPGRADE);
    var _ = rig.server.outcome(upgrade);

    rig.send(rig.cancel(upgrade.id()));

    await().until(() -> rig.server.outcomes(upgrade.id()).size() == 2);
    assertThat(rig.server.outcomes(upgrade.id())).allMatch(said -> said.contains("done"));
  }

  @Test
  void cancelComesInTimeAtAnyTime() {
    rig.start();
    rig.settle();
    Command upgrade = rig.next(Action.UPGRADE);
    Command late =
        rig.next(
            rig.draft(Action.CANCEL)
                .cancels(upgrade.id())
                .at(FakeServer.NOW.minusSeconds(7200), FakeServer.NOW.minusSeconds(3600)));

    rig.send(late);

    assertThat(result(upgrade)).isEqualTo(new Result.Cancelled());
  }

  @Test
  void commandThatAKilledAgentHadBegunIsLookedAfterAsFarAsItHadCome() throws InterruptedException {
    var hold = new FakeDriver.Hold(new Result.Done());
    rig.driver.upgrades = hold;
    rig.start();
    Command upgrade = rig.send(Action.UPGRADE);
    hold.begun.await();
    rig.stop();
    rig.server.put(rig.cancel(upgrade.id()));
    rig.driver.upgrades = job -> job.cancelled() ? new Result.Done() : new Result.RebootRequired();

    rig.start();

    assertThat(result(upgrade)).isEqualTo(new Result.Done());
    assertThat(rig.driver.log).containsExactly("upgrade", "upgrade");
  }

  @Test
  void prepareThatIsCancelledBetweenTwoTriesIsCancelled() {
    rig.driver.prepares = _ -> new Result.Failed("slow", ErrorClass.RETRYABLE, "later");
    rig.start();
    Command prepare = rig.send(Action.PREPARE);
    await().until(() -> rig.driver.log.size() > 1);

    rig.send(rig.cancel(prepare.id()));

    assertThat(result(prepare)).isEqualTo(new Result.Cancelled());
  }
}
