package dev.uplift.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.WireErrorClass;
import org.junit.jupiter.api.Test;

final class CancelTest extends HostAgentScenario {
  @Test
  void commandInWorkIsBrokenOffAndAnswersForItself() throws InterruptedException {
    var hold = new FakeDriver.Hold(new CommandResult.Done());
    fixture.driver.prepares = hold;
    fixture.start();
    Command prepare = fixture.send(CommandAction.PREPARE);
    hold.started.await();

    Command cancel = fixture.send(fixture.cancel(prepare.id()));

    assertThat(result(prepare)).isEqualTo(new CommandResult.Cancelled());
    fixture.awaitIdle();
    assertThat(fixture.server.outcomes(cancel.id())).isEmpty();
  }

  @Test
  void commandThatMustNotBeBrokenOffAnswersHowItReallyEnded() throws InterruptedException {
    var hold = new FakeDriver.Hold(new CommandResult.Done());
    fixture.driver.upgrades =
        job -> {
          hold.started.countDown();
          await().until(job::isCancelled);
          return new CommandResult.RebootRequired();
        };
    fixture.start();
    Command upgrade = fixture.send(CommandAction.UPGRADE);
    hold.started.await();

    fixture.send(fixture.cancel(upgrade.id()));

    assertThat(result(upgrade)).isEqualTo(new CommandResult.RebootRequired());
  }

  @Test
  void cancelOfAnotherCommandDoesNotDisturbTheOneInWork() throws InterruptedException {
    var hold = new FakeDriver.Hold(new CommandResult.Done());
    fixture.driver.upgrades = hold;
    fixture.start();
    Command upgrade = fixture.send(CommandAction.UPGRADE);
    hold.started.await();

    fixture.send(fixture.cancel("some-other"));

    assertThat(result("some-other")).isEqualTo(new CommandResult.Cancelled());
    assertThat(fixture.server.outcomes(upgrade.id())).isEmpty();
    hold.release();
    assertThat(result(upgrade)).isEqualTo(new CommandResult.Done());
  }

  @Test
  void commandThatWasNeverSeenIsSettledAndNeverDone() {
    fixture.start();
    Command upgrade = fixture.next(CommandAction.UPGRADE);
    fixture.send(fixture.cancel(upgrade.id()));
    assertThat(result(upgrade)).isEqualTo(new CommandResult.Cancelled());

    fixture.send(upgrade);
    fixture.awaitIdle();

    assertThat(fixture.driver.log).isEmpty();
    assertThat(fixture.server.outcomes(upgrade.id())).allMatch(said -> said.contains("cancelled"));
  }

  @Test
  void commandThatHasEndedAnswersAgain() {
    fixture.start();
    Command upgrade = fixture.send(CommandAction.UPGRADE);
    var _ = fixture.server.outcome(upgrade);

    fixture.send(fixture.cancel(upgrade.id()));

    await().until(() -> fixture.server.outcomes(upgrade.id()).size() == 2);
    assertThat(fixture.server.outcomes(upgrade.id())).allMatch(said -> said.contains("done"));
  }

  @Test
  void cancelComesInTimeAtAnyTime() {
    fixture.start();
    fixture.awaitIdle();
    Command upgrade = fixture.next(CommandAction.UPGRADE);
    Command late =
        fixture.next(
            fixture
                .draft(CommandAction.CANCEL)
                .cancels(upgrade.id())
                .times(FakeServer.NOW.minusSeconds(7200), FakeServer.NOW.minusSeconds(3600)));

    fixture.send(late);

    assertThat(result(upgrade)).isEqualTo(new CommandResult.Cancelled());
  }

  @Test
  void commandThatAKilledAgentHadBegunIsLookedAfterAsFarAsItHadCome() throws InterruptedException {
    var hold = new FakeDriver.Hold(new CommandResult.Done());
    fixture.driver.upgrades = hold;
    fixture.start();
    Command upgrade = fixture.send(CommandAction.UPGRADE);
    hold.started.await();
    fixture.stop();
    fixture.server.store(fixture.cancel(upgrade.id()));
    fixture.driver.upgrades = job -> job.isCancelled() ? new CommandResult.Done() : new CommandResult.RebootRequired();

    fixture.start();

    assertThat(result(upgrade)).isEqualTo(new CommandResult.Done());
    assertThat(fixture.driver.log).containsExactly("upgrade", "upgrade");
  }

  @Test
  void prepareThatIsCancelledBetweenTwoTriesIsCancelled() {
    fixture.driver.prepares = _ -> new CommandResult.Failed("slow", WireErrorClass.RETRYABLE, "later");
    fixture.start();
    Command prepare = fixture.send(CommandAction.PREPARE);
    await().until(() -> fixture.driver.log.size() > 1);

    fixture.send(fixture.cancel(prepare.id()));

    assertThat(result(prepare)).isEqualTo(new CommandResult.Cancelled());
  }
}
