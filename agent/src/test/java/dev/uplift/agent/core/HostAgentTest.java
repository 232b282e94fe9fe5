package dev.uplift.agent.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Result;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class HostAgentTest extends RigScenario {
  @Test
  void commandThatLiesThereWhenItConnectsIsDone() {
    Command upgrade = rig.next(Action.UPGRADE);
    rig.server.put(upgrade);

    rig.start();

    assertThat(result(upgrade)).isEqualTo(new Result.Done());
    assertThat(rig.driver.log).containsExactly("upgrade");
  }

  @Test
  void answerSaysWhatIsOnTheHostNow() {
    rig.start();
    Command upgrade = rig.send(Action.UPGRADE);

    Event event = rig.server.outcome(upgrade);

    assertThat(event.version()).isEqualTo("1.5.0");
    assertThat(event.epoch()).isEqualTo(upgrade.epoch());
    assertThat(event.bootId()).isEqualTo(Rig.BOOT);
    assertThat(event.instance()).isEqualTo("instance-1");
    assertThat(Duration.between(FakeServer.NOW, event.at())).isLessThan(Duration.ofMinutes(1));
  }

  @Test
  void answerToPrepareNamesTheVersionFromBeforeAndWhatIsStaged() {
    rig.start();

    Event event = rig.server.outcome(rig.send(Action.PREPARE));

    assertThat(event.version()).isEqualTo("1.4.0");
    assertThat(event.staged()).isEqualTo("1.5.0");
  }

  @Test
  void acceptedIsSaidBeforeTheOutcome() {
    rig.start();
    Command upgrade = rig.send(Action.UPGRADE);
    var _ = rig.server.outcome(upgrade);

    assertThat(rig.server.messageIds)
        .containsExactly(upgrade.id() + ".accepted", upgrade.id() + ".outcome");
  }

  @Test
  void bellWithNothingInTheSlotDoesNothing() {
    rig.start();
    rig.server.ring();
    rig.settle();

    assertThat(rig.driver.log).isEmpty();
  }

  @Test
  void afterABellWithNothingNewItLooksAgain() {
    rig.start();
    await().until(() -> rig.server.looks.get() == 1);

    rig.server.ring();

    // How often and when, `ReasonsTest` says: on a slow machine one look may serve two reasons.
    await().until(() -> rig.server.looks.get() >= 3);
  }

  @Test
  void commandThatCameWhileItWasAwayIsDoneWhenItIsBack() {
    rig.start();
    rig.settle();
    rig.server.goAway();
    Command upgrade = rig.next(Action.UPGRADE);
    rig.server.put(upgrade);

    rig.server.comeBack();

    assertThat(result(upgrade)).isEqualTo(new Result.Done());
  }

  @Test
  void commandThatComesWhileAnotherIsInWorkWaitsInTheSlot() throws InterruptedException {
    var hold = new FakeDriver.Hold(new Result.Done());
    rig.driver.prepares = hold;
    rig.start();
    Command prepare = rig.send(Action.PREPARE);
    hold.begun.await();

    Command upgrade = rig.send(Action.UPGRADE);
    await().until(() -> rig.server.looks.get() >= 3);
    assertThat(rig.driver.log).containsExactly("prepare");
    hold.letGo();

    assertThat(result(upgrade)).isEqualTo(new Result.Done());
    assertThat(result(prepare)).isEqualTo(new Result.Done());
    assertThat(rig.driver.log).containsExactly("prepare", "upgrade");
  }

  @Test
  void inspectIsAnsweredBesideTheWork() throws InterruptedException {
    var hold = new FakeDriver.Hold(new Result.Done());
    rig.driver.upgrades = hold;
    rig.start();
    Command upgrade = rig.send(Action.UPGRADE);
    hold.begun.await();

    Event seen = rig.server.outcome(rig.send(Action.INSPECT));

    assertThat(seen.version()).isEqualTo("1.4.0");
    assertThat(rig.server.outcomes(upgrade.id())).isEmpty();
    hold.letGo();
    assertThat(result(upgrade)).isEqualTo(new Result.Done());
  }

  @Test
  void inspectOfAPackageThatIsNotHereSaysSo() {
    rig.start();
    Command inspect =
        rig.send(
            rig.next(
                Command.draft(Action.INSPECT)
                    .of("os", "2")
                    .at(FakeServer.NOW, FakeServer.NOW.plusSeconds(60))));

    assertThat(code(inspect)).isEqualTo("unknown-package");
  }

  @Test
  void failureIsAnsweredWithTheTailOfItsLog() {
    rig.driver.upgrades =
        job -> {
          job.log("it broke");
          return new Result.Failed("broken", ErrorClass.FINAL, "it does not start");
        };
    rig.start();

    Event event = rig.server.outcome(rig.send(Action.UPGRADE));

    assertThat(event.said())
        .isEqualTo(
            new Event.Outcome(
                new Result.Failed("broken", ErrorClass.FINAL, "it does not start"), "it broke\n"));
  }

  @Test
  void mistakeOfADriverIsAnErrorAndTheNextCommandIsDone() {
    rig.driver.upgrades =
        _ -> {
          throw new IllegalStateException("no such luck");
        };
    rig.start();

    assertThat(code(rig.send(Action.UPGRADE))).isEqualTo("agent-error");
    assertThat(result(rig.send(Action.PREPARE))).isEqualTo(new Result.Done());
  }

  @Test
  void stopEndsNobodyWhomItDoesNotNameAndWhomNobodyFollows() {
    rig.start();

    assertThat(code(rig.send(Action.STOP))).isEqualTo("no-instance");
    assertThat(code(rig.send(rig.next(rig.draft(Action.STOP).to("instance-1")))))
        .isEqualTo("no-successor");
  }

  @Test
  void commandIsDoneOnceTheServersTimeCanBeLearnt() {
    rig.server.hasNoClock(true);
    rig.start();
    await().until(() -> !rig.server.infos().isEmpty());
    Command upgrade = rig.next(Action.UPGRADE);
    rig.server.put(upgrade);

    rig.server.hasNoClock(false);

    assertThat(result(upgrade)).isEqualTo(new Result.Done());
  }

  @Test
  void refusedMessageIsCountedOnceAndNeverActedOn() {
    rig.start();
    Command upgrade = rig.next(Action.UPGRADE);
    rig.server.put(upgrade.write(), "");
    await()
        .until(() -> {
          rig.server.ring();
          return rig.server.looks.get() >= 4;
        });

    await().until(() -> rig.server.info().refused() == 1);
    assertThat(rig.driver.log).isEmpty();
    assertThat(rig.server.events()).isEmpty();
  }
}
