package dev.uplift.agent.driver.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.driver.FakeJob;
import dev.uplift.agent.driver.Found;
import dev.uplift.agent.driver.Jobs;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
final class ScriptDriverTest {
  private static final Result DONE = new Result.Done();

  private final Path folder;

  private final ScriptHost host;

  ScriptDriverTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    host = ScriptHost.create(folder);
  }

  @Test
  void eachVerbIsTheOperatorsProgram() throws IOException {
    assertThat(host.driver().prepare(job(Action.PREPARE))).isEqualTo(DONE);
    assertThat(host.driver().upgrade(job(Action.UPGRADE))).isEqualTo(DONE);
    assertThat(host.driver().inspect()).isEqualTo(new Found("2.0", "", false));
    assertThat(host.driver().commit(job(Action.COMMIT))).isEqualTo(DONE);
    assertThat(host.driver().rollback(job(Action.ROLLBACK))).isEqualTo(DONE);
    assertThat(host.driver().inspect()).isEqualTo(new Found("1.0", "", false));
    assertThat(host.calls()).containsExactly("prepare", "upgrade", "commit", "rollback");
  }

  @Test
  void aProgramIsToldAllThatItNeeds() throws IOException {
    host.script(
        "upgrade",
        "env | grep ^UPLIFT_ | sort >../env; echo \"$#\" >>../env; echo 2.0 >../installed");

    host.driver("port", "8080").upgrade(ScriptHost.job("order-7", Action.UPGRADE));

    assertThat(Files.readAllLines(host.file("env")))
        .containsExactly(
            "UPLIFT_ARG_LINE_SPEED=slow",
            "UPLIFT_COMMAND_ID=order-7",
            "UPLIFT_CURRENT_VERSION=1.0",
            "UPLIFT_HOST=plc-1",
            "UPLIFT_KEEP=" + folder.resolve("state/keep"),
            "UPLIFT_PACKAGE=plc",
            "UPLIFT_RELEASE_VERSION=2.0",
            "UPLIFT_SETTING_PORT=8080",
            "UPLIFT_TENANT=acme",
            "UPLIFT_VERB=upgrade",
            "UPLIFT_VERSION=2.0",
            "1");
  }

  @Test
  void prepareGetsTheArtifact() throws IOException {
    Path artifact = Files.writeString(folder.resolve("artifact"), "bytes");
    host.script("prepare", "cp \"$UPLIFT_ARTIFACT\" \"$UPLIFT_KEEP/new\"");

    Result result =
        host.driver()
            .prepare(
                Jobs.job(Action.PREPARE, "2.0", ScriptHost.releaseWithArtifact(), _ -> artifact));

    assertThat(result).isEqualTo(DONE);
    assertThat(folder.resolve("state/keep/new")).hasContent("bytes");
  }

  @ParameterizedTest
  @CsvSource({
    "20, RETRYABLE, line-busy",
    "21, FINAL, line-busy",
    "22, DECLINED, line-busy",
    "23, NEEDS_PERSON, line-busy",
    "24, FINAL, not-prepared"
  })
  void theExitCodeIsTheClassOfTheError(int exit, ErrorClass errorClass, String code)
      throws IOException {
    host.script("upgrade", "echo the line is busy; echo code=line-busy; exit " + exit);

    assertThat(host.driver().upgrade(job(Action.UPGRADE)))
        .isEqualTo(new Result.Failed(code, errorClass, "the line is busy"));
  }

  @Test
  void anyOtherExitCodeIsAFinalErrorThatNamesIt() throws IOException {
    host.script("upgrade", "echo no idea; exit 7");

    assertThat(host.driver().upgrade(job(Action.UPGRADE)))
        .isEqualTo(
            new Result.Failed(
                "script-failed", ErrorClass.FINAL, "`upgrade` ended with 7: no idea"));
  }

  @Test
  void aProgramMayAskForAReboot() throws IOException {
    host.script("upgrade", "exit 10");
    host.script("prepare", "exit 10");

    assertThat(host.driver().upgrade(job(Action.UPGRADE))).isEqualTo(new Result.RebootRequired());
    assertThat(host.driver().prepare(job(Action.PREPARE))).isInstanceOf(Result.Failed.class);
  }

  @Test
  void whatItSaysIsProgressAndLog() throws IOException {
    host.script("upgrade", "echo one; echo two >&2; echo 2.0 >../installed; printf three");
    FakeJob job = job(Action.UPGRADE);

    host.driver().upgrade(job);

    assertThat(job.said()).containsExactlyInAnyOrder("one", "two", "three");
    assertThat(job.progress()).containsExactly("one", "three");
  }

  @Test
  void aProgramThatSaysDoneWhileAnotherVersionRunsIsNotBelieved() throws IOException {
    host.script("upgrade", "exit 0");

    assertThat(host.driver().upgrade(job(Action.UPGRADE)))
        .isInstanceOfSatisfying(
            Result.Failed.class, failed -> assertThat(failed.code()).isEqualTo("version-mismatch"));
  }

  @Test
  void inspectMaySayMoreAndMayFail() throws IOException {
    host.script("inspect", "echo version=1.0; echo staged=2.0; echo trial=true");
    assertThat(host.driver().inspect()).isEqualTo(new Found("1.0", "2.0", true));

    host.script("inspect", "echo version=1.0; exit 1");
    assertThat(host.driver().inspect()).isEqualTo(Found.nothing());

    host.script("inspect", "echo 'version=not a version'");
    assertThat(host.driver().inspect()).isEqualTo(Found.nothing());

    host.script("inspect", "sleep 1000");
    assertThat(host.driver("inspect_s", "1").inspect()).isEqualTo(Found.nothing());

    host.loseScript("inspect");
    assertThat(host.driver().inspect()).isEqualTo(Found.nothing());
  }

  @Test
  void whatIsMissingIsDoneOrRefused() throws IOException {
    for (String verb : new String[] {"prepare", "upgrade", "commit", "rollback"}) {
      host.loseScript(verb);
    }

    assertThat(host.driver().prepare(job(Action.PREPARE))).isEqualTo(DONE);
    assertThat(host.driver().commit(job(Action.COMMIT))).isEqualTo(DONE);
    assertThat(failure(host.driver().upgrade(job(Action.UPGRADE)))).isEqualTo("no-script FINAL");
    assertThat(failure(host.driver().rollback(job(Action.ROLLBACK))))
        .isEqualTo("no-script DECLINED");
  }

  @Test
  void aProgramThatTakesTooLongIsKilledWithAllThatItStarted() throws IOException {
    host.script("upgrade", "sh -c 'echo $$ >../pid; sleep 1000'");

    Result result = host.driver("upgrade_s", "3").upgrade(job(Action.UPGRADE));

    assertThat(failure(result)).isEqualTo("script-timeout FINAL");
    awaitEnd(pid());
  }

  @Test
  void aCancelledPrepareIsAskedToEnd() throws IOException {
    host.script(
        "prepare",
        "trap 'echo cleaned >../calls; exit 0' TERM; echo $$ >../pid; while :; do sleep 0.05; done");
    FakeJob job = job(Action.PREPARE);
    var result = new AtomicReference<Result>(DONE);
    Thread agent = Thread.ofVirtual().start(() -> result.set(host.driver().prepare(job)));
    awaitPid();

    job.cancel();

    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !agent.isAlive());
    assertThat(result.get()).isEqualTo(new Result.Cancelled());
    assertThat(host.calls()).containsExactly("cleaned");
  }

  @Test
  void anUpgradeIsNotBrokenOffOnceItHasBegun() throws Exception {
    host.script(
        "upgrade",
        "echo $$ >../pid; while test ! -e ../go; do sleep 0.05; done; echo 2.0 >../installed");
    FakeJob job = job(Action.UPGRADE);
    var result = new AtomicReference<Result>(new Result.Cancelled());
    Thread agent = Thread.ofVirtual().start(() -> result.set(host.driver().upgrade(job)));
    awaitPid();

    job.cancel();
    Files.createFile(host.file("go"));

    agent.join();
    assertThat(result.get()).isEqualTo(DONE);
  }

  @Test
  void theSameCommandAgainDoesNotRunItAgain() throws IOException {
    host.driver().upgrade(ScriptHost.job("order-1", Action.UPGRADE));

    assertThat(host.driver().upgrade(ScriptHost.job("order-1", Action.UPGRADE))).isEqualTo(DONE);

    assertThat(host.calls()).containsExactly("upgrade");
  }

  @Test
  void afterAnErrorTheSameCommandRunsItAgain() throws IOException {
    host.script(
        "upgrade", "echo try >>../calls; test -e ../ready || exit 20; echo 2.0 >../installed");
    FakeJob job = ScriptHost.job("order-1", Action.UPGRADE);
    assertThat(host.driver().upgrade(job)).isInstanceOf(Result.Failed.class);

    Files.createFile(host.file("ready"));

    assertThat(host.driver().upgrade(job)).isEqualTo(DONE);
    assertThat(host.calls()).containsExactly("try", "try");
  }

  @Test
  void afterALossOfPowerAnUnfinishedProgramRunsAgain() throws Exception {
    host.script(
        "upgrade",
        "echo try >>../calls; echo $$ >../pid; test -e ../go || sleep 1000; echo 2.0 >../installed");
    FakeJob job = ScriptHost.job("order-1", Action.UPGRADE);
    Thread agent = Thread.ofPlatform().start(() -> host.driver().upgrade(job));
    awaitPid();
    agent.interrupt();
    agent.join();
    long lost = pid();

    host.losePower();
    Files.createFile(host.file("go"));

    assertThat(host.driver().upgrade(job)).isEqualTo(DONE);
    assertThat(host.calls()).containsExactly("try", "try");
    // No power was really lost.
    ProcessHandle.of(lost)
        .ifPresent(script -> {
          script.descendants().forEach(ProcessHandle::destroyForcibly);
          script.destroyForcibly();
        });
  }

  @Test
  void aProgramThatSomebodyKillsIsRetryable() throws Exception {
    host.script("upgrade", "echo $$ >../pid; kill -KILL -$(cut -d' ' -f5 /proc/$$/stat)");

    assertThat(failure(host.driver().upgrade(job(Action.UPGRADE))))
        .isEqualTo("script-interrupted RETRYABLE");
  }

  private static FakeJob job(Action action) {
    return ScriptHost.job("order-" + action, action);
  }

  private long pid() throws IOException {
    return Long.parseLong(Files.readString(host.file("pid")).strip());
  }

  private void awaitPid() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Files.exists(host.file("pid")) && Files.size(host.file("pid")) > 0);
  }

  private static void awaitEnd(long pid) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
  }

  private static String failure(Result result) {
    return result instanceof Result.Failed(String code, ErrorClass errorClass, String _)
        ? code + " " + errorClass
        : result.toString();
  }
}
