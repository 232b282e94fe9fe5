package dev.uplift.agent.driver.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.bundle.TarBuilder;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Heartbeat.State;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The effects of the driver, step by step.
final class AgentDriverTest {
  private static final CommandResult DONE = new CommandResult.Done();
  private static final CommandResult HANDOVER = new CommandResult.HandoverRequired();

  @TempDir private Path folder;
  private AgentHostFolder host;
  private AgentDriver driver;

  @BeforeEach
  void open() throws Exception {
    host = new AgentHostFolder(folder);
    driver = host.driver();
  }

  @Test
  void preparedVersionLiesBesideTheOthersAndNothingElseHasChanged() throws Exception {
    assertThat(driver.prepare(host.job(CommandAction.PREPARE, "2.0"))).isEqualTo(DONE);

    assertThat(host.states()).containsSubsequence(State.DRAINING, State.STAGING, State.VERIFYING, State.RUNNING);
    assertThat(driver.inspect().staged()).isEqualTo("2.0");
    assertThat(driver.inspect().version()).isEqualTo("1.0");
    assertThat(host.current()).isEqualTo("1.0");
    assertThat(host.text("orders")).isEmpty();
    assertThat(Files.getLastModifiedTime(host.file("versions/2.0/app/agent.jar")).toString())
        .isEqualTo("2020-01-01T00:00:00Z");
    assertThat(driver.prepare(host.job(CommandAction.PREPARE, "2.0"))).isEqualTo(DONE);
  }

  @Test
  void versionOfAnotherMachineIsRefusedBeforeAByteIsFetched() {
    var release = AgentHostFolder.release(AgentHostFolder.ARCHIVE, Map.of("architecture", "aarch64"));

    CommandResult commandResult =
        driver.prepare(dev.uplift.agent.driver.TestJobs.job(CommandAction.PREPARE, "2.0", release));

    assertThat(code(commandResult)).isEqualTo("wrong-architecture final");
    assertThat(host.agentState.upgradeError()).contains("this host is x86_64");
    assertThat(host.agentState.state()).isEqualTo(State.RUNNING);
  }

  @Test
  void versionWhoseRuntimeIsNotHereIsRefused() {
    byte[] archive = new TarBuilder().file("runtime", "r2\n").tarGz();

    CommandResult commandResult = prepare(archive);

    assertThat(code(commandResult)).isEqualTo("runtime-missing final");
    assertThat(Files.exists(host.file("versions/2.0"))).isFalse();
  }

  @Test
  void runtimeThatTravelsWithItsVersionIsSharedFromThenOn() {
    byte[] archive = new TarBuilder().file("runtime", "r2\n").program("runtimes/r2/bin/java", "#!/bin/sh\n").tarGz();

    assertThat(prepare(archive)).isEqualTo(DONE);

    assertThat(Files.isExecutable(host.file("runtimes/r2/bin/java"))).isTrue();
    assertThat(Files.exists(host.file("versions/2.0/runtimes"))).isFalse();
  }

  @Test
  void otherBytesUnderTheNameOfAVersionThatIsHereAreRefused() throws Exception {
    prepared();

    CommandResult commandResult = prepare(new TarBuilder().file("runtime", "r1\n").file("other", "bytes").tarGz());

    assertThat(code(commandResult)).isEqualTo("version-exists final");
    assertThat(Files.exists(host.file("versions/2.0/other"))).isFalse();
    assertThat(Files.exists(host.file("versions/2.0/COMPLETE"))).isTrue();
    assertThat(host.current()).isEqualTo("1.0");
  }

  @Test
  void versionThatFindsItselfUnfitIsNotUsedAndStaysToBeLookedAt() throws Exception {
    host.selfTestRuns("echo uplift-agent $2; echo no such library; exit 1");

    CommandResult commandResult = driver.prepare(host.job(CommandAction.PREPARE, "2.0"));

    assertThat(code(commandResult)).isEqualTo("self-test-failed final");
    assertThat(commandResult.toString()).contains("no such library");
    assertThat(Files.exists(host.file("versions/2.0/COMPLETE"))).isTrue();
    assertThat(code(driver.upgrade(host.job(CommandAction.UPGRADE, "2.0")))).isEqualTo("not-prepared final");
  }

  @Test
  void versionThatSaysItIsAnotherIsRefused() throws Exception {
    host.selfTestRuns("echo uplift-agent 1.9");

    assertThat(code(driver.prepare(host.job(CommandAction.PREPARE, "2.0")))).isEqualTo("version-mismatch final");
  }

  @Test
  void serverThatOnlyTheNewOneCannotReachIsTheNewOnesFault() throws Exception {
    host.selfTestRuns("exit 14");
    assertThat(code(driver.prepare(host.job(CommandAction.PREPARE, "2.0")))).isEqualTo("self-test-failed final");

    host.connected = () -> false;
    assertThat(code(driver.prepare(host.job(CommandAction.PREPARE, "2.0")))).isEqualTo("server-unavailable retryable");
  }

  @Test
  void upgradeStartsTheNextOneOnTrialBesideThisOne() throws Exception {
    prepared();

    assertThat(driver.upgrade(host.job(CommandAction.UPGRADE, "2.0"))).isEqualTo(HANDOVER);

    assertThat(host.current()).isEqualTo("2.0");
    assertThat(host.text("trial")).contains("previous=1.0\nversion=2.0\nwithin_seconds=3600\n");
    assertThat(host.text("orders")).isEqualTo("begin 2.0\n");
    assertThat(host.agentState.state()).isEqualTo(State.CUTOVER_READY);
    assertThat(driver.inspect().version()).isEqualTo("1.0");
    assertThat(driver.agentHandover().isInProgress()).isTrue();
    assertThat(driver.upgrade(host.job(CommandAction.UPGRADE, "2.0"))).isEqualTo(HANDOVER);
    assertThat(host.boot()).isEqualTo("2.0");
  }

  @Test
  void launcherThatDoesNotStartItLeavesAllAsItWas() throws Exception {
    prepared();
    host.launcherFailsAt("begin");

    CommandResult commandResult = driver.upgrade(host.job(CommandAction.UPGRADE, "2.0"));

    assertThat(code(commandResult)).isEqualTo("launcher-failed needs-person");
    assertThat(host.current()).isEqualTo("1.0");
    assertThat(Files.exists(host.file("trial"))).isFalse();
    assertThat(host.agentState.state()).isEqualTo(State.RUNNING);
    assertThat(driver.agentHandover().isInProgress()).isFalse();
  }

  @Test
  void nextOneThatHasNotShownItselfIsNotMadeWayFor() throws Exception {
    prepared();
    assertThatThrownBy(driver.agentHandover()::confirmSuccessor)
        .isInstanceOfSatisfying(StepFailed.class, e -> assertThat(e.hasCode("no-successor")).isTrue());
    driver.upgrade(host.job(CommandAction.UPGRADE, "2.0"));
    assertThatThrownBy(driver.agentHandover()::confirmSuccessor)
        .isInstanceOfSatisfying(StepFailed.class, e -> assertThat(e.hasCode("successor-not-ready")).isTrue());

    host.writeStandbySign("2.0", 1);

    await().ignoreExceptions().untilAsserted(() -> driver.agentHandover().confirmSuccessor());
  }

  @Test
  void nextOneThatHasFallenSilentIsNotMadeWayFor() throws Exception {
    host.set("standby_timeout_seconds", "2");
    driver = host.driver();
    prepared();
    var looks = new AtomicInteger();
    // Connected for as long as more than half of its time takes, and never again.
    host.connected = () -> looks.incrementAndGet() <= 3;
    driver.upgrade(host.job(CommandAction.UPGRADE, "2.0"));
    host.writeStandbySign("2.0", 1);

    await().until(() -> looks.get() > 4);

    assertThatThrownBy(driver.agentHandover()::confirmSuccessor)
        .isInstanceOfSatisfying(StepFailed.class, e -> assertThat(e.hasCode("successor-not-ready")).isTrue())
        .hasMessageContaining("has not been heard of");
    assertThat(host.agentState.state()).isEqualTo(State.CUTOVER_READY);
    host.writeStandbySign("2.0", 2);
    driver.agentHandover().confirmSuccessor();
  }

  @Test
  void agentThatDoesNotKnowItsVersionLeavesTheWayBackOpen() throws Exception {
    host.version = "unknown";
    driver = host.driver();
    prepared();

    assertThat(driver.upgrade(host.job(CommandAction.UPGRADE, "2.0"))).isEqualTo(HANDOVER);
    assertThat(host.text("trial")).contains("previous=1.0\n");
    assertThat(driver.rollback(host.job(CommandAction.ROLLBACK, "unknown"))).isEqualTo(DONE);

    assertThat(host.current()).isEqualTo("1.0");
    assertThat(driver.inspect().version()).isEqualTo("unknown");
    assertThat(host.boot()).isEqualTo("1.0");
  }

  @Test
  void silentSuccessorIsRolledBackButOnlyWhileTheServerResponds() throws Exception {
    host.set("standby_timeout_seconds", "1");
    driver = host.driver();
    prepared();
    host.connected = () -> false;
    driver.upgrade(host.job(CommandAction.UPGRADE, "2.0"));
    host.writeStandbySign("2.0", 1);
    await().ignoreExceptions().untilAsserted(() -> assertThat(driver.agentHandover().isInProgress()).isTrue());

    host.connected = () -> true;

    await().until(() -> host.current().equals("1.0"));
    await().until(() -> host.agentState.state() == State.RUNNING);
    assertThat(host.text("orders")).isEqualTo("begin 2.0\nend 2.0\n");
    assertThat(host.agentState.upgradeError()).isEqualTo("2.0: no heartbeat of it within 1 s");
    assertThat(host.text("rolled-back")).contains("version=2.0");
    assertThat(Files.exists(host.file("trial"))).isFalse();
    assertThat(driver.agentHandover().isInProgress()).isFalse();
  }

  @Test
  void launcherThatWentBackIsNoticed() throws Exception {
    prepared();
    driver.upgrade(host.job(CommandAction.UPGRADE, "2.0"));

    Files.writeString(host.file("attempts"), host.text("trial").lines().findFirst().orElseThrow() + "\ncount=3\n");
    assertThat(host.boot()).isEqualTo("1.0");

    await().until(() -> host.agentState.state() == State.RUNNING);
    assertThat(host.agentState.upgradeError()).isEqualTo("2.0: it was started 3 times and did not stay");
  }

  @Test
  void rollbackBeforeTheHandoverPutsTheLinkBack() throws Exception {
    prepared();
    driver.upgrade(host.job(CommandAction.UPGRADE, "2.0"));

    assertThat(driver.rollback(host.job(CommandAction.ROLLBACK, "1.0"))).isEqualTo(DONE);

    assertThat(host.current()).isEqualTo("1.0");
    assertThat(host.text("orders")).isEqualTo("begin 2.0\nend 2.0\n");
    assertThat(host.agentState.state()).isEqualTo(State.RUNNING);
  }

  @Test
  void commitEndsTheTrialAndTheWayBackIsTheSameWithoutOne() throws Exception {
    prepared();
    driver.upgrade(host.job(CommandAction.UPGRADE, "2.0"));
    host.version = "2.0";
    AgentDriver next = host.driver();
    assertThat(next.inspect().onTrial()).isTrue();
    assertThat(code(driver.commit(host.job(CommandAction.COMMIT, "2.0")))).isEqualTo("version-mismatch final");

    assertThat(next.commit(host.job(CommandAction.COMMIT, "2.0"))).isEqualTo(DONE);

    assertThat(next.inspect().onTrial()).isFalse();
    assertThat(host.boot()).isEqualTo("2.0");
    assertThat(next.rollback(host.job(CommandAction.ROLLBACK, "1.0"))).isEqualTo(HANDOVER);
    assertThat(host.current()).isEqualTo("1.0");
    assertThat(host.text("orders")).endsWith("begin 1.0\n");
    assertThat(host.boot()).isEqualTo("1.0");
    assertThat(code(next.rollback(host.job(CommandAction.ROLLBACK, "0.9")))).isEqualTo("version-not-found declined");
  }

  @Test
  void memoryForTwoIsTwiceWhatThisOneNeeds() {
    String needs = "VmPeak:\t 99 kB\nVmRSS:\t   50000 kB\n";

    assertThat(MemoryCheck.isLow("MemTotal: 9 kB\nMemAvailable:  99999 kB\n", needs)).isTrue();
    assertThat(MemoryCheck.isLow("MemAvailable: 100000 kB\n", needs)).isFalse();
    assertThat(MemoryCheck.isLow("nothing of it", needs)).isFalse();
  }

  private void prepared() {
    assertThat(driver.prepare(host.job(CommandAction.PREPARE, "2.0"))).isEqualTo(DONE);
  }

  private CommandResult prepare(byte[] archive) {
    return driver.prepare(host.job(CommandAction.PREPARE, "2.0", AgentHostFolder.release(archive, Map.of()), archive));
  }

  private static String code(CommandResult commandResult) {
    return commandResult instanceof CommandResult.Failed failed
        ? failed.code() + " " + failed.errorClass().wireName()
        : commandResult.toString();
  }
}
