package dev.uplift.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.TestCommandBuilder;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.WireErrorClass;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class HostAgentTest extends HostAgentScenario {
  @Test
  void commandThatLiesThereWhenItConnectsIsDone() {
    Command upgrade = fixture.next(CommandAction.UPGRADE);
    fixture.server.store(upgrade);

    fixture.start();

    assertThat(result(upgrade)).isEqualTo(new CommandResult.Done());
    assertThat(fixture.driver.log).containsExactly("upgrade");
  }

  @Test
  void answerSaysWhatIsOnTheHostNow() {
    fixture.start();
    Command upgrade = fixture.send(CommandAction.UPGRADE);

    Event event = fixture.server.outcome(upgrade);

    assertThat(event.version()).isEqualTo("1.5.0");
    assertThat(event.epoch()).isEqualTo(upgrade.epoch());
    assertThat(event.bootId()).isEqualTo(HostAgentFixture.BOOT);
    assertThat(event.instance()).isEqualTo("instance-1");
    assertThat(Duration.between(FakeServer.NOW, event.at())).isLessThan(Duration.ofMinutes(1));
  }

  @Test
  void answerToPrepareNamesTheVersionFromBeforeAndWhatIsStaged() {
    fixture.start();

    Event event = fixture.server.outcome(fixture.send(CommandAction.PREPARE));

    assertThat(event.version()).isEqualTo("1.4.0");
    assertThat(event.staged()).isEqualTo("1.5.0");
  }

  @Test
  void acceptedIsSaidBeforeTheOutcome() {
    fixture.start();
    Command upgrade = fixture.send(CommandAction.UPGRADE);
    var _ = fixture.server.outcome(upgrade);

    assertThat(fixture.server.messageIds)
        .extracting(id -> id.substring(0, id.lastIndexOf('.')))
        .containsExactly(upgrade.id() + ".accepted", upgrade.id() + ".outcome");
  }

  @Test
  void theTraceOfACommandIsReturnedWithItsEventsAndNotWithThoseOfOthers() {
    fixture.start();
    var _ = fixture.server.outcome(fixture.server.send(fixture.next(CommandAction.PREPARE), "00-trace-span-01"));
    var _ = fixture.server.outcome(fixture.send(CommandAction.UPGRADE));
    var _ = fixture.server.outcome(fixture.server.send(fixture.next(CommandAction.COMMIT), "x".repeat(65)));

    assertThat(fixture.server.traces)
        .containsExactly("00-trace-span-01", "00-trace-span-01", "none", "none", "none", "none");
  }

  @Test
  void bellWithNothingInTheSlotDoesNothing() {
    fixture.start();
    fixture.server.notifyAgent();
    fixture.awaitIdle();

    assertThat(fixture.driver.log).isEmpty();
  }

  @Test
  void afterABellWithNothingNewItLooksAgain() {
    fixture.start();
    await().until(() -> fixture.server.mailboxReads.get() == 1);

    fixture.server.notifyAgent();

    // How often and when, `ReadTriggersTest` says: on a slow machine one look may serve two
    // reasons.
    await().until(() -> fixture.server.mailboxReads.get() >= 3);
  }

  @Test
  void commandSentWhileTheAgentIsStoppedIsExecutedAfterItsStart() {
    fixture.start();
    fixture.awaitIdle();
    fixture.server.becomeUnavailable();
    Command upgrade = fixture.next(CommandAction.UPGRADE);
    fixture.server.store(upgrade);

    fixture.server.becomeAvailable();

    assertThat(result(upgrade)).isEqualTo(new CommandResult.Done());
  }

  @Test
  void commandThatComesWhileAnotherIsInWorkWaitsInTheSlot() throws InterruptedException {
    var hold = new FakeDriver.Hold(new CommandResult.Done());
    fixture.driver.prepares = hold;
    fixture.start();
    Command prepare = fixture.send(CommandAction.PREPARE);
    hold.started.await();

    Command upgrade = fixture.send(CommandAction.UPGRADE);
    await().until(() -> fixture.server.mailboxReads.get() >= 3);
    assertThat(fixture.driver.log).containsExactly("prepare");
    hold.release();

    assertThat(result(upgrade)).isEqualTo(new CommandResult.Done());
    assertThat(result(prepare)).isEqualTo(new CommandResult.Done());
    assertThat(fixture.driver.log).containsExactly("prepare", "upgrade");
  }

  @Test
  void inspectIsAnsweredBesideTheWork() throws InterruptedException {
    var hold = new FakeDriver.Hold(new CommandResult.Done());
    fixture.driver.upgrades = hold;
    fixture.start();
    Command upgrade = fixture.send(CommandAction.UPGRADE);
    hold.started.await();

    Event seen = fixture.server.outcome(fixture.send(CommandAction.INSPECT));

    assertThat(seen.version()).isEqualTo("1.4.0");
    assertThat(fixture.server.outcomes(upgrade.id())).isEmpty();
    hold.release();
    assertThat(result(upgrade)).isEqualTo(new CommandResult.Done());
  }

  @Test
  void inspectOfAPackageThatIsNotHereSaysSo() {
    fixture.start();
    Command inspect =
        fixture.send(
            fixture.next(
                new TestCommandBuilder(CommandAction.INSPECT)
                    .target("os", "2")
                    .times(FakeServer.NOW, FakeServer.NOW.plusSeconds(60))));

    assertThat(code(inspect)).isEqualTo("unknown-package");
  }

  @Test
  void failureIsAnsweredWithTheTailOfItsLog() {
    fixture.driver.upgrades =
        job -> {
          job.log("it broke");
          return new CommandResult.Failed("broken", WireErrorClass.FINAL, "it does not start");
        };
    fixture.start();

    Event event = fixture.server.outcome(fixture.send(CommandAction.UPGRADE));

    assertThat(event.content())
        .isEqualTo(
            new Event.Outcome(
                new CommandResult.Failed("broken", WireErrorClass.FINAL, "it does not start"), "it broke\n"));
  }

  @Test
  void mistakeOfADriverIsAnErrorAndTheNextCommandIsDone() {
    fixture.driver.upgrades =
        _ -> {
          throw new IllegalStateException("no such luck");
        };
    fixture.start();

    assertThat(code(fixture.send(CommandAction.UPGRADE))).isEqualTo("agent-error");
    assertThat(result(fixture.send(CommandAction.PREPARE))).isEqualTo(new CommandResult.Done());
  }

  @Test
  void stopEndsNoOtherInstanceAndNoneWithoutASuccessor() {
    fixture.start();

    assertThat(code(fixture.send(CommandAction.STOP))).isEqualTo("no-instance");
    assertThat(code(fixture.send(fixture.next(fixture.draft(CommandAction.STOP).instance("instance-1")))))
        .isEqualTo("no-successor");
  }

  @Test
  void commandIsDoneOnceTheServersTimeCanBeLearnt() {
    fixture.server.withoutTimestamps(true);
    fixture.start();
    await().until(() -> !fixture.server.infos().isEmpty());
    Command upgrade = fixture.next(CommandAction.UPGRADE);
    fixture.server.store(upgrade);

    fixture.server.withoutTimestamps(false);

    assertThat(result(upgrade)).isEqualTo(new CommandResult.Done());
  }

  @Test
  void refusedMessageIsCountedOnceAndNeverActedOn() {
    fixture.start();
    Command upgrade = fixture.next(CommandAction.UPGRADE);
    fixture.server.store(upgrade.write(), "");
    await()
        .until(() -> {
          fixture.server.notifyAgent();
          return fixture.server.mailboxReads.get() >= 4;
        });

    await().until(() -> fixture.server.info().rejectedMessages() == 1);
    assertThat(fixture.driver.log).isEmpty();
    assertThat(fixture.server.events()).isEmpty();
  }
}
