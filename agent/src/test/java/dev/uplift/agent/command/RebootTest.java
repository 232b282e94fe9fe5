package dev.uplift.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.driver.PackageReboot;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.WireErrorClass;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class RebootTest extends HostAgentScenario {
  @Test
  void rebootIsOrderedOnceAndAnsweredAfterTheBoot() {
    fixture.start();
    Command reboot = fixture.send(fixture.reboot(HostAgentFixture.BOOT));
    await().until(() -> fixture.reboots.get() == 1);
    assertThat(fixture.server.outcomes(reboot.id())).isEmpty();
    fixture.stop();

    fixture.start(HostAgentFixture.NEXT_BOOT);

    Event event = fixture.server.outcome(reboot);
    assertThat(((Event.Outcome) event.content()).result()).isEqualTo(new CommandResult.Done());
    assertThat(event.bootId()).isEqualTo(HostAgentFixture.NEXT_BOOT);
    assertThat(fixture.reboots).hasValue(1);
  }

  @Test
  void rebootIsAnsweredAlsoWhenTheSlotIsEmptyByThen() {
    fixture.start();
    Command reboot = fixture.send(fixture.reboot(HostAgentFixture.BOOT));
    await().until(() -> fixture.reboots.get() == 1);
    fixture.stop();
    fixture.server.clearMailbox();

    fixture.start(HostAgentFixture.NEXT_BOOT);

    assertThat(result(reboot)).isEqualTo(new CommandResult.Done());
  }

  @Test
  void agentThatIsStartedAgainInTheSameBootDoesNotRebootASecondTime() {
    fixture.start();
    Command reboot = fixture.send(fixture.reboot(HostAgentFixture.BOOT));
    await().until(() -> fixture.reboots.get() == 1);
    fixture.stop();

    fixture.rebootsWithin(Duration.ofMillis(300)).start();

    assertThat(code(reboot)).isEqualTo("host-not-rebooted");
    assertThat(fixture.reboots).hasValue(1);
  }

  @Test
  void spontaneousBootCountsToo() {
    fixture.start(HostAgentFixture.NEXT_BOOT);

    Command reboot = fixture.send(fixture.reboot(HostAgentFixture.BOOT));

    assertThat(result(reboot)).isEqualTo(new CommandResult.Done());
    assertThat(fixture.reboots).hasValue(0);
  }

  @Test
  void hostThatDoesNotGoDownIsNeverReportedAsRebooted() {
    fixture.rebootsWithin(Duration.ofMillis(300)).start();

    Command reboot = fixture.send(fixture.reboot(HostAgentFixture.BOOT));

    assertThat(result(reboot))
        .isInstanceOfSatisfying(
            CommandResult.Failed.class, failed -> assertThat(failed.errorClass()).isEqualTo(WireErrorClass.RETRYABLE));
    await().until(() -> fixture.server.lastHeartbeatMatches(heartbeat -> heartbeat.state() == Heartbeat.State.RUNNING));
  }

  @Test
  void rebootCommandThatFailsNeedsAPersonAndTheNextOrderTriesAgain() {
    fixture.rebootCode = 1;
    fixture.start();
    Command first = fixture.send(fixture.reboot(HostAgentFixture.BOOT));
    assertThat(code(first)).isEqualTo("reboot-failed");

    Command second = fixture.send(fixture.reboot(HostAgentFixture.BOOT));

    assertThat(code(second)).isEqualTo("reboot-failed");
    assertThat(fixture.reboots).hasValue(2);
  }

  @Test
  void hostThatGoesDownSaysSoInItsLastBeats() {
    fixture.start();

    fixture.send(fixture.reboot(HostAgentFixture.BOOT));

    await()
        .until(() ->
            fixture.server.heartbeats().stream().anyMatch(heartbeat -> heartbeat.state() == Heartbeat.State.STOPPING));
  }

  @Test
  void rebootThatIsCancelledBeforeItWasOrderedIsNotOrdered() {
    fixture.start();
    Command reboot = fixture.reboot(HostAgentFixture.BOOT);
    fixture.send(fixture.cancel(reboot.id()));
    assertThat(result(reboot)).isEqualTo(new CommandResult.Cancelled());

    fixture.send(reboot);
    fixture.awaitIdle();

    assertThat(fixture.reboots).hasValue(0);
  }

  @Test
  void packageThatRebootsByItselfAnswersAfterTheBoot() {
    var packageReboot = new FakeReboot(new CommandResult.Done(), new CommandResult.Done());
    fixture.driver.ownReboot = Optional.of(packageReboot);
    fixture.start();
    Command reboot = fixture.send(fixture.reboot(HostAgentFixture.BOOT));
    await().until(() -> packageReboot.starts.get() == 1);
    fixture.stop();

    fixture.start(HostAgentFixture.NEXT_BOOT);

    assertThat(result(reboot)).isEqualTo(new CommandResult.Done());
    assertThat(packageReboot.starts).hasValue(1);
    assertThat(packageReboot.confirms).hasValue(1);
    assertThat(fixture.reboots).hasValue(0);
  }

  @Test
  void packageThatCannotRebootIsAnsweredWithItsOwnError() {
    var failed = new CommandResult.Failed("reboot-failed", WireErrorClass.NEEDS_PERSON, "a technician is logged in");
    fixture.driver.ownReboot = Optional.of(new FakeReboot(failed, new CommandResult.Done()));
    fixture.start();

    assertThat(result(fixture.send(fixture.reboot(HostAgentFixture.BOOT)))).isEqualTo(failed);
  }

  @Test
  void rebootThatThePackageDoesNotConfirmHasFailed() {
    var failed = new CommandResult.Failed("worker-failed", WireErrorClass.FINAL, "the old kernel runs");
    fixture.driver.ownReboot = Optional.of(new FakeReboot(new CommandResult.Done(), failed));
    fixture.start(HostAgentFixture.NEXT_BOOT);

    assertThat(result(fixture.send(fixture.reboot(HostAgentFixture.BOOT)))).isEqualTo(failed);
  }

  @Test
  void agentThatEndsBeforeThePackageHasConfirmedLeavesItToTheNext() {
    var packageReboot = new FakeReboot(new CommandResult.Done(), new CommandResult.Done());
    fixture.driver.ownReboot = Optional.of(packageReboot);
    fixture.start();
    Command reboot = fixture.send(fixture.reboot(HostAgentFixture.BOOT));
    await().until(() -> packageReboot.starts.get() == 1);
    fixture.stop();
    packageReboot.held = new CountDownLatch(1);
    fixture.start(HostAgentFixture.NEXT_BOOT);
    await().until(() -> packageReboot.confirms.get() == 1);
    fixture.stop();
    assertThat(fixture.server.outcomes(reboot.id())).isEmpty();

    packageReboot.held.countDown();
    fixture.start(HostAgentFixture.NEXT_BOOT);

    assertThat(result(reboot)).isEqualTo(new CommandResult.Done());
    assertThat(packageReboot.confirms).hasValue(2);
  }

  @Test
  void rebootIsNotOrderedFromAVersionThatIsNotExpected() {
    fixture.start();
    Command reboot =
        fixture.send(
            fixture.next(
                fixture.draft(CommandAction.REBOOT).expect(new Command.Expect("1.5.0", HostAgentFixture.BOOT))));

    assertThat(code(reboot)).isEqualTo("precondition-failed");
    assertThat(fixture.reboots).hasValue(0);
  }

  /// A package that answers as it is told, or not before it is let go.
  private static final class FakeReboot implements PackageReboot {
    final AtomicInteger starts = new AtomicInteger();
    final AtomicInteger confirms = new AtomicInteger();
    volatile CountDownLatch held = new CountDownLatch(0);
    private final CommandResult start;
    private final CommandResult confirm;

    FakeReboot(CommandResult start, CommandResult confirm) {
      this.start = start;
      this.confirm = confirm;
    }

    @Override
    public CommandResult start(Command command, Consumer<String> log) {
      starts.incrementAndGet();
      return start;
    }

    @Override
    public CommandResult confirm(Command command, Consumer<String> log) {
      confirms.incrementAndGet();
      try {
        held.await();
        return confirm;
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return new CommandResult.Failed("interrupted", WireErrorClass.RETRYABLE, "the agent is ending");
      }
    }
  }
}
