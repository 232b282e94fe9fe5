package dev.uplift.agent.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Result;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RebootTest extends RigScenario {
  @Test
  void rebootIsOrderedOnceAndAnsweredAfterTheBoot() {
    rig.start();
    Command reboot = rig.send(rig.reboot(Rig.BOOT));
    await().until(() -> rig.reboots.get() == 1);
    assertThat(rig.server.outcomes(reboot.id())).isEmpty();
    rig.stop();

    rig.start(Rig.NEXT_BOOT);

    Event event = rig.server.outcome(reboot);
    assertThat(((Event.Outcome) event.said()).result()).isEqualTo(new Result.Done());
    assertThat(event.bootId()).isEqualTo(Rig.NEXT_BOOT);
    assertThat(rig.reboots).hasValue(1);
  }

  @Test
  void rebootIsAnsweredAlsoWhenTheSlotIsEmptyByThen() {
    rig.start();
    Command reboot = rig.send(rig.reboot(Rig.BOOT));
    await().until(() -> rig.reboots.get() == 1);
    rig.stop();
    rig.server.emptySlot();

    rig.start(Rig.NEXT_BOOT);

    assertThat(result(reboot)).isEqualTo(new Result.Done());
  }

  @Test
  void agentThatIsStartedAgainInTheSameBootDoesNotRebootASecondTime() {
    rig.start();
    Command reboot = rig.send(rig.reboot(Rig.BOOT));
    await().until(() -> rig.reboots.get() == 1);
    rig.stop();

    rig.goesDownWithin(Duration.ofMillis(300)).start();

    assertThat(code(reboot)).isEqualTo("still-up");
    assertThat(rig.reboots).hasValue(1);
  }

  @Test
  void bootThatNobodyOrderedCountsToo() {
    rig.start(Rig.NEXT_BOOT);

    Command reboot = rig.send(rig.reboot(Rig.BOOT));

    assertThat(result(reboot)).isEqualTo(new Result.Done());
    assertThat(rig.reboots).hasValue(0);
  }

  @Test
  void hostThatDoesNotGoDownIsNeverReportedAsRebooted() {
    rig.goesDownWithin(Duration.ofMillis(300)).start();

    Command reboot = rig.send(rig.reboot(Rig.BOOT));

    assertThat(result(reboot))
        .isInstanceOfSatisfying(
            Result.Failed.class,
            failed -> assertThat(failed.errorClass()).isEqualTo(ErrorClass.RETRYABLE));
    await().until(() -> rig.server.beatsLast(beat -> beat.state() == Heartbeat.State.RUNNING));
  }

  @Test
  void rebootCommandThatFailsNeedsAPersonAndTheNextOrderTriesAgain() {
    rig.rebootCode = 1;
    rig.start();
    Command first = rig.send(rig.reboot(Rig.BOOT));
    assertThat(code(first)).isEqualTo("reboot-failed");

    Command second = rig.send(rig.reboot(Rig.BOOT));

    assertThat(code(second)).isEqualTo("reboot-failed");
    assertThat(rig.reboots).hasValue(2);
  }

  @Test
  void hostThatGoesDownSaysSoInItsLastBeats() {
    rig.start();

    rig.send(rig.reboot(Rig.BOOT));

    await()
        .until(() ->
            rig.server.beats().stream().anyMatch(beat -> beat.state() == Heartbeat.State.STOPPING));
  }

  @Test
  void rebootThatIsCancelledBeforeItWasOrderedIsNotOrdered() {
    rig.start();
    Command reboot = rig.reboot(Rig.BOOT);
    rig.send(rig.cancel(reboot.id()));
    assertThat(result(reboot)).isEqualTo(new Result.Cancelled());

    rig.send(reboot);
    rig.settle();

    assertThat(rig.reboots).hasValue(0);
  }

  @Test
  void rebootIsNotOrderedFromAVersionThatIsNotExpected() {
    rig.start();
    Command reboot =
        rig.send(
            rig.next(rig.draft(Action.REBOOT).expecting(new Command.Expect("1.5.0", Rig.BOOT))));

    assertThat(code(reboot)).isEqualTo("precondition-failed");
    assertThat(rig.reboots).hasValue(0);
  }
}
