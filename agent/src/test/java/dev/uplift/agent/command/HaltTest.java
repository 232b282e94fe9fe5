package dev.uplift.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.TestCommandBuilder;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.PackageHalt;
import dev.uplift.protocol.WireErrorClass;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Barriers halt a package on the host.
final class HaltTest extends HostAgentScenario {
  private static final CommandResult DONE = new CommandResult.Done();
  private static final CommandResult BROKEN =
      new CommandResult.Failed("script-failed", WireErrorClass.FINAL, "it hangs");
  private static final Instant LATER = FakeServer.NOW.plus(Duration.ofHours(2));

  @Test
  void aHaltedPackageIsNotInstalledUntilItResumes() {
    fixture.start();
    assertThat(result(send(halt(LATER)))).isEqualTo(DONE);

    Command prepare = fixture.send(CommandAction.PREPARE);

    assertThat(result(prepare))
        .isEqualTo(
            new CommandResult.Failed(
                "halted", WireErrorClass.DECLINED, "shopd is halted for barrier schema-7 until " + LATER));
    assertThat(result(fixture.send(resume("schema-7")))).isEqualTo(DONE);
    assertThat(result(fixture.send(CommandAction.PREPARE))).isEqualTo(DONE);
    assertThat(fixture.driver.log).containsExactly("halt", "resume", "prepare");
  }

  @Test
  void theInfoTellsWhatIsHalted() {
    fixture.start();
    await().until(() -> fixture.server.info().halts().filter(Map::isEmpty).isPresent());

    assertThat(result(send(halt(LATER)))).isEqualTo(DONE);
    await()
        .until(() ->
            fixture.server.info().halts().orElseThrow().equals(Map.of("shopd", new PackageHalt("schema-7", LATER))));

    assertThat(result(fixture.send(resume("schema-7")))).isEqualTo(DONE);
    await().until(() -> fixture.server.info().halts().orElseThrow().isEmpty());
  }

  @Test
  void aHaltSurvivesARestartOfTheAgentAndAReboot() {
    fixture.start();
    assertThat(result(send(halt(LATER)))).isEqualTo(DONE);
    fixture.stop();

    fixture.start(HostAgentFixture.NEXT_BOOT);

    assertThat(code(fixture.send(CommandAction.UPGRADE))).isEqualTo("halted");
    assertThat(result(fixture.send(resume("schema-7")))).isEqualTo(DONE);
    assertThat(fixture.driver.log).containsExactly("halt", "resume");
  }

  @Test
  void aHostResumesByItselfWhenTheTimeIsOverAlsoWithoutAServer() {
    fixture.start();
    assertThat(result(send(halt(FakeServer.NOW.plusSeconds(3))))).isEqualTo(DONE);
    fixture.server.becomeUnavailable();
    fixture.stop();
    fixture.start();

    await().until(() -> fixture.driver.log.contains("resume"));
    fixture.server.becomeAvailable();

    await().until(() -> fixture.server.info().halts().orElseThrow().isEmpty());
    assertThat(result(fixture.send(CommandAction.PREPARE))).isEqualTo(DONE);
  }

  @Test
  void aRepeatedHaltAsksTheDriverAgainAndIsOneHalt() {
    fixture.start();
    assertThat(result(send(halt(LATER)))).isEqualTo(DONE);
    assertThat(result(send(halt(LATER)))).isEqualTo(DONE);

    assertThat(result(fixture.send(resume("schema-7")))).isEqualTo(DONE);
    assertThat(result(fixture.send(CommandAction.PREPARE))).isEqualTo(DONE);
  }

  @Test
  void aHaltThatFailsSaysWhyAndIsUndoneLikeOneThatSucceeded() {
    fixture.driver.halts = BROKEN;
    fixture.start();

    assertThat(result(send(halt(LATER)))).isEqualTo(BROKEN);

    assertThat(code(fixture.send(CommandAction.PREPARE))).isEqualTo("halted");
    assertThat(result(fixture.send(resume("schema-7")))).isEqualTo(DONE);
    assertThat(result(fixture.send(CommandAction.PREPARE))).isEqualTo(DONE);
  }

  @Test
  void aResumeThatFailsLeavesThePackageHalted() {
    fixture.driver.resumes = BROKEN;
    fixture.start();
    assertThat(result(send(halt(LATER)))).isEqualTo(DONE);

    assertThat(result(fixture.send(resume("schema-7")))).isEqualTo(BROKEN);

    assertThat(code(fixture.send(CommandAction.PREPARE))).isEqualTo("halted");
  }

  @Test
  void theResumeOfAnotherBarrierChangesNothing() {
    fixture.start();
    assertThat(result(send(halt(LATER)))).isEqualTo(DONE);

    assertThat(result(fixture.send(resume("schema-6")))).isEqualTo(DONE);

    assertThat(code(fixture.send(CommandAction.PREPARE))).isEqualTo("halted");
    assertThat(fixture.driver.log).containsExactly("halt");
  }

  @Test
  void aHaltFromBeforeTheResumeIsRefused() {
    fixture.start();
    Command halt = fixture.next(halt(LATER));
    assertThat(result(fixture.send(resume("schema-7")))).isEqualTo(DONE);

    fixture.server.send(halt);

    assertThat(code(halt)).isEqualTo("stale-epoch");
    assertThat(fixture.driver.log).doesNotContain("halt");
  }

  @Test
  void aHaltThatComesTooLateIsRefused() {
    fixture.start();
    Command late = fixture.next(halt(LATER).times(FakeServer.NOW.minusSeconds(60), FakeServer.NOW.minusSeconds(1)));

    fixture.server.send(late);

    assertThat(code(late)).isEqualTo("expired");
    assertThat(fixture.driver.log).isEmpty();
  }

  private Command send(TestCommandBuilder draft) {
    return fixture.send(fixture.next(draft));
  }

  private TestCommandBuilder halt(Instant until) {
    return fixture.draft(CommandAction.HALT).target("shopd", "unknown").barrier("schema-7", until);
  }

  private Command resume(String barrier) {
    return fixture.next(fixture.draft(CommandAction.RESUME).target("shopd", "unknown").barrier(barrier, LATER));
  }
}
