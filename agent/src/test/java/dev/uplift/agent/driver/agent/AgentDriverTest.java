package dev.uplift.agent.driver.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.bundle.TarBuilder;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the driver does and leaves, step by step.
final class AgentDriverTest {
  private static final Result DONE = new Result.Done();
  private static final Result HANDOVER = new Result.HandoverRequired();

  @TempDir private Path folder;
  private OwnHost host;
  private AgentDriver driver;

  @BeforeEach
  void open() throws Exception {
    host = new OwnHost(folder);
    driver = host.driver();
  }

  @Test
  void preparedVersionLiesBesideTheOthersAndNothingElseHasChanged() throws Exception {
    assertThat(driver.prepare(host.job(Action.PREPARE, "2.0"))).isEqualTo(DONE);

    assertThat(host.states())
        .containsSubsequence(State.DRAINING, State.STAGING, State.VERIFYING, State.RUNNING);
    assertThat(driver.inspect().staged()).isEqualTo("2.0");
    assertThat(driver.inspect().version()).isEqualTo("1.0");
    assertThat(host.current()).isEqualTo("1.0");
    assertThat(host.text("orders")).isEmpty();
    assertThat(Files.getLastModifiedTime(host.file("versions/2.0/app/agent.jar")).toString())
        .isEqualTo("2020-01-01T00:00:00Z");
    assertThat(driver.prepare(host.job(Action.PREPARE, "2.0"))).isEqualTo(DONE);
  }

  @Test
  void versionOfAnotherMachineIsRefusedBeforeAByteIsFetched() {
    var release = OwnHost.release(OwnHost.ARCHIVE, Map.of("architecture", "aarch64"));

    Result result =
        driver.prepare(dev.uplift.agent.driver.Jobs.job(Action.PREPARE, "2.0", release));

    assertThat(code(result)).isEqualTo("wrong-architecture final");
    assertThat(host.standing.upgradeError()).contains("this host is x86_64");
    assertThat(host.standing.state()).isEqualTo(State.RUNNING);
  }

  @Test
  void versionWhoseRuntimeIsNotHereIsRefused() {
    byte[] archive = new TarBuilder().file("runtime", "r2\n").tarGz();

    Result result = prepare(archive);

    assertThat(code(result)).isEqualTo("runtime-missing final");
    assertThat(Files.exists(host.file("versions/2.0"))).isFalse();
  }

  @Test
  void runtimeThatTravelsWithItsVersionIsSharedFromThenOn() {
    byte[] archive =
        new TarBuilder()
            .file("runtime", "r2\n")
            .program("runtimes/r2/bin/java", "#!/bin/sh\n")
            .tarGz();

    assertThat(prepare(archive)).isEqualTo(DONE);

    assertThat(Files.isExecutable(host.file("runtimes/r2/bin/java"))).isTrue();
    assertThat(Files.exists(host.file("versions/2.0/runtimes"))).isFalse();
  }

  @Test
  void versionThatFindsItselfUnfitIsNotUsedAndStaysToBeLookedAt() throws Exception {
    host.says("echo uplift-agent $2; echo no such library; exit 1");

    Result result = driver.prepare(host.job(Action.PREPARE, "2.0"));

    assertThat(code(result)).isEqualTo("self-test-failed final");
    assertThat(result.toString()).contains("no such library");
    assertThat(Files.exists(host.file("versions/2.0/COMPLETE"))).isTrue();
    assertThat(code(driver.upgrade(host.job(Action.UPGRADE, "2.0"))))
        .isEqualTo("not-prepared final");
  }

  @Test
  void versionThatSaysItIsAnotherIsRefused() throws Exception {
    host.says("echo uplift-agent 1.9");

    assertThat(code(driver.prepare(host.job(Action.PREPARE, "2.0"))))
        .isEqualTo("version-mismatch final");
  }

  @Test
  void serverThatOnlyTheNewOneCannotReachIsTheNewOnesFault() throws Exception {
    host.says("exit 14");
    assertThat(code(driver.prepare(host.job(Action.PREPARE, "2.0"))))
        .isEqualTo("self-test-failed final");

    host.connected = () -> false;
    assertThat(code(driver.prepare(host.job(Action.PREPARE, "2.0"))))
        .isEqualTo("server-away retryable");
  }

  @Test
  void upgradeStartsTheNextOneOnTrialBesideThisOne() throws Exception {
    prepared();

    assertThat(driver.upgrade(host.job(Action.UPGRADE, "2.0"))).isEqualTo(HANDOVER);

    assertThat(host.current()).isEqualTo("2.0");
    assertThat(host.text("trial")).contains("previous=1.0\nversion=2.0\nwithin_s=3600\n");
    assertThat(host.text("orders")).isEqualTo("begin 2.0\n");
    assertThat(host.standing.state()).isEqualTo(State.CUTOVER_READY);
    assertThat(driver.inspect().version()).isEqualTo("1.0");
    assertThat(driver.succession().isUnderWay()).isTrue();
    assertThat(driver.upgrade(host.job(Action.UPGRADE, "2.0"))).isEqualTo(HANDOVER);
    assertThat(host.boot()).isEqualTo("2.0");
  }

  @Test
  void launcherThatDoesNotStartItLeavesAllAsItWas() throws Exception {
    prepared();
    host.refuses("begin");

    Result result = driver.upgrade(host.job(Action.UPGRADE, "2.0"));

    assertThat(code(result)).isEqualTo("launcher-failed needs-person");
    assertThat(host.current()).isEqualTo("1.0");
    assertThat(Files.exists(host.file("trial"))).isFalse();
    assertThat(host.standing.state()).isEqualTo(State.RUNNING);
    assertThat(driver.succession().isUnderWay()).isFalse();
  }

  @Test
  void nextOneThatHasNotShownItselfIsNotMadeWayFor() throws Exception {
    prepared();
    assertThatThrownBy(driver.succession()::release)
        .isInstanceOfSatisfying(
            StepFailed.class, e -> assertThat(e.hasCode("no-successor")).isTrue());
    driver.upgrade(host.job(Action.UPGRADE, "2.0"));
    assertThatThrownBy(driver.succession()::release)
        .isInstanceOfSatisfying(
            StepFailed.class, e -> assertThat(e.hasCode("successor-not-ready")).isTrue());

    host.signOf("2.0", 1);

    await().ignoreExceptions().untilAsserted(() -> driver.succession().release());
  }

  @Test
  void nextOneThatHasFallenSilentIsNotMadeWayFor() throws Exception {
    host.set("standby_s", "2");
    driver = host.driver();
    prepared();
    var looks = new AtomicInteger();
    // Connected for as long as more than half of its time takes, and never again.
    host.connected = () -> looks.incrementAndGet() <= 3;
    driver.upgrade(host.job(Action.UPGRADE, "2.0"));
    host.signOf("2.0", 1);

    await().until(() -> looks.get() > 4);

    assertThatThrownBy(driver.succession()::release)
        .isInstanceOfSatisfying(
            StepFailed.class, e -> assertThat(e.hasCode("successor-not-ready")).isTrue())
        .hasMessageContaining("has not been heard of");
    assertThat(host.standing.state()).isEqualTo(State.CUTOVER_READY);
    host.signOf("2.0", 2);
    driver.succession().release();
  }

  @Test
  void agentThatDoesNotKnowItsVersionLeavesTheWayBackOpen() throws Exception {
    host.version = "unknown";
    driver = host.driver();
    prepared();

    assertThat(driver.upgrade(host.job(Action.UPGRADE, "2.0"))).isEqualTo(HANDOVER);
    assertThat(host.text("trial")).contains("previous=1.0\n");
    assertThat(driver.rollback(host.job(Action.ROLLBACK, "unknown"))).isEqualTo(DONE);

    assertThat(host.current()).isEqualTo("1.0");
    assertThat(driver.inspect().version()).isEqualTo("unknown");
    assertThat(host.boot()).isEqualTo("1.0");
  }

  @Test
  void nextOneThatIsNotHeardOfIsTakenBackButOnlyWhileTheServerIsThere() throws Exception {
    host.set("standby_s", "1");
    driver = host.driver();
    prepared();
    host.connected = () -> false;
    driver.upgrade(host.job(Action.UPGRADE, "2.0"));
    host.signOf("2.0", 1);
    await()
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(driver.succession().isUnderWay()).isTrue());

    host.connected = () -> true;

    await().until(() -> host.current().equals("1.0"));
    await().until(() -> host.standing.state() == State.RUNNING);
    assertThat(host.text("orders")).isEqualTo("begin 2.0\nend 2.0\n");
    assertThat(host.standing.upgradeError()).isEqualTo("2.0: no heartbeat of it within 1 s");
    assertThat(host.text("reverted")).contains("version=2.0");
    assertThat(Files.exists(host.file("trial"))).isFalse();
    assertThat(driver.succession().isUnderWay()).isFalse();
  }

  @Test
  void launcherThatWentBackIsNoticed() throws Exception {
    prepared();
    driver.upgrade(host.job(Action.UPGRADE, "2.0"));

    Files.writeString(
        host.file("attempts"),
        host.text("trial").lines().findFirst().orElseThrow() + "\ncount=3\n");
    assertThat(host.boot()).isEqualTo("1.0");

    await().until(() -> host.standing.state() == State.RUNNING);
    assertThat(host.standing.upgradeError())
        .isEqualTo("2.0: it was started 3 times and did not stay");
  }

  @Test
  void rollbackBeforeTheHandoverPutsTheLinkBack() throws Exception {
    prepared();
    driver.upgrade(host.job(Action.UPGRADE, "2.0"));

    assertThat(driver.rollback(host.job(Action.ROLLBACK, "1.0"))).isEqualTo(DONE);

    assertThat(host.current()).isEqualTo("1.0");
    assertThat(host.text("orders")).isEqualTo("begin 2.0\nend 2.0\n");
    assertThat(host.standing.state()).isEqualTo(State.RUNNING);
  }

  @Test
  void commitEndsTheTrialAndTheWayBackIsTheSameWithoutOne() throws Exception {
    prepared();
    driver.upgrade(host.job(Action.UPGRADE, "2.0"));
    host.version = "2.0";
    AgentDriver next = host.driver();
    assertThat(next.inspect().trial()).isTrue();
    assertThat(code(driver.commit(host.job(Action.COMMIT, "2.0"))))
        .isEqualTo("version-mismatch final");

    assertThat(next.commit(host.job(Action.COMMIT, "2.0"))).isEqualTo(DONE);

    assertThat(next.inspect().trial()).isFalse();
    assertThat(host.boot()).isEqualTo("2.0");
    assertThat(next.rollback(host.job(Action.ROLLBACK, "1.0"))).isEqualTo(HANDOVER);
    assertThat(host.current()).isEqualTo("1.0");
    assertThat(host.text("orders")).endsWith("begin 1.0\n");
    assertThat(host.boot()).isEqualTo("1.0");
    assertThat(code(next.rollback(host.job(Action.ROLLBACK, "0.9"))))
        .isEqualTo("version-gone declined");
  }

  @Test
  void memoryForTwoIsTwiceWhatThisOneNeeds() {
    String needs = "VmPeak:\t 99 kB\nVmRSS:\t   50000 kB\n";

    assertThat(Memory.isShort("MemTotal: 9 kB\nMemAvailable:  99999 kB\n", needs)).isTrue();
    assertThat(Memory.isShort("MemAvailable: 100000 kB\n", needs)).isFalse();
    assertThat(Memory.isShort("nothing of it", needs)).isFalse();
  }

  private void prepared() {
    assertThat(driver.prepare(host.job(Action.PREPARE, "2.0"))).isEqualTo(DONE);
  }

  private Result prepare(byte[] archive) {
    return driver.prepare(
        host.job(Action.PREPARE, "2.0", OwnHost.release(archive, Map.of()), archive));
  }

  private static String code(Result result) {
    return result instanceof Result.Failed failed
        ? failed.code() + " " + failed.errorClass().word()
        : result.toString();
  }
}
