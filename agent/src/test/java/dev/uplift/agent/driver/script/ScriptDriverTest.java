package dev.uplift.agent.driver.script;

import static dev.uplift.agent.driver.TestJobs.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.driver.FakeJob;
import dev.uplift.agent.driver.HaltRequest;
import dev.uplift.agent.driver.PackageState;
import dev.uplift.agent.driver.TestJobs;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.PackageOffer;
import dev.uplift.protocol.WireErrorClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
final class ScriptDriverTest {
  private static final CommandResult DONE = new CommandResult.Done();

  private final Path folder;

  private final ScriptHost host;

  ScriptDriverTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    host = ScriptHost.prepared(folder);
  }

  @Test
  void eachVerbIsTheOperatorsProgram() throws IOException {
    assertThat(host.driver().prepare(ScriptHost.job(CommandAction.PREPARE))).isEqualTo(DONE);
    assertThat(host.driver().upgrade(ScriptHost.job(CommandAction.UPGRADE))).isEqualTo(DONE);
    assertThat(host.driver().inspect()).isEqualTo(new PackageState("2.0", "", false));
    assertThat(host.driver().commit(ScriptHost.job(CommandAction.COMMIT))).isEqualTo(DONE);
    assertThat(host.driver().rollback(ScriptHost.job(CommandAction.ROLLBACK))).isEqualTo(DONE);
    assertThat(host.driver().inspect()).isEqualTo(new PackageState("1.0", "", false));
    assertThat(host.calls()).containsExactly("prepare", "upgrade", "commit", "rollback");
  }

  @Test
  void itsProgramsHaltAndResumeForABarrierAsOftenAsTheyAreAsked() throws IOException {
    HaltRequest request =
        new HaltRequest("halt-1", "schema-7", Instant.parse("2026-03-29T03:30:00Z"), Duration.ZERO, _ -> {});
    assertThat(host.driver().halt(request)).as("without programs").isEqualTo(DONE);
    host.script("halt", "echo halt $1 $UPLIFT_BARRIER $UPLIFT_HALTED_UNTIL >>../calls");
    host.script("resume", "echo resume $1 >>../calls; exit 20");

    assertThat(host.driver().halt(request)).isEqualTo(DONE);
    assertThat(host.driver().halt(request)).isEqualTo(DONE);

    assertThat(host.driver().resume(request))
        .isInstanceOfSatisfying(
            CommandResult.Failed.class, failed -> assertThat(failed.errorClass()).isEqualTo(WireErrorClass.RETRYABLE));
    assertThat(host.calls())
        .containsExactly(
            "halt schema-7 schema-7 2026-03-29T03:30:00Z",
            "halt schema-7 schema-7 2026-03-29T03:30:00Z",
            "resume schema-7");
  }

  @Test
  void aProgramThatOthersMayChangeIsNotRun() throws IOException {
    for (String name : List.of("upgrade", "inspect")) {
      Files.setPosixFilePermissions(host.scripts().resolve(name), PosixFilePermissions.fromString("rwxr-xrwx"));
    }

    assertThat(host.driver().inspect()).isEqualTo(PackageState.unknown());
    assertThat(host.driver().upgrade(ScriptHost.job(CommandAction.UPGRADE)))
        .isInstanceOfSatisfying(
            CommandResult.Failed.class,
            failed -> {
              assertThat(failed.code()).isEqualTo("insecure-permissions");
              assertThat(failed.errorClass()).isEqualTo(WireErrorClass.NEEDS_PERSON);
              assertThat(failed.text()).contains("scripts/upgrade can be changed by other users");
            });
    assertThat(host.calls()).isEmpty();
  }

  @Test
  void aProgramGetsTheWholeCommandInItsEnvironment() throws IOException {
    host.script("upgrade", "env | grep ^UPLIFT_ | sort >../env; echo \"$#\" >>../env; echo 2.0 >../installed");

    host.driver("port", "8080").upgrade(ScriptHost.job("order-7", CommandAction.UPGRADE));

    assertThat(Files.readAllLines(host.file("env")))
        .containsExactly(
            "UPLIFT_ARG_LINE_SPEED=slow",
            "UPLIFT_COMMAND_ID=order-7",
            "UPLIFT_CURRENT_VERSION=1.0",
            "UPLIFT_HOST=plc-1",
            "UPLIFT_PACKAGE=plc",
            "UPLIFT_RELEASE_VERSION=2.0",
            "UPLIFT_SETTING_PORT=8080",
            "UPLIFT_STATE_FOLDER=" + folder.resolve("state/script-state"),
            "UPLIFT_STEP=upgrade",
            "UPLIFT_TENANT=acme",
            "UPLIFT_VERSION=2.0",
            "1");
  }

  @Test
  void prepareGetsTheArtifact() throws IOException {
    Path artifact = Files.writeString(folder.resolve("artifact"), "bytes");
    host.script("prepare", "cp \"$UPLIFT_ARTIFACT\" \"$UPLIFT_STATE_FOLDER/new\"");

    CommandResult commandResult =
        host.driver()
            .prepare(TestJobs.job(CommandAction.PREPARE, "2.0", ScriptHost.releaseWithArtifact(), _ -> artifact));

    assertThat(commandResult).isEqualTo(DONE);
    assertThat(folder.resolve("state/script-state/new")).hasContent("bytes");
  }

  @ParameterizedTest
  @CsvSource({
    "20, RETRYABLE, line-busy",
    "21, FINAL, line-busy",
    "22, DECLINED, line-busy",
    "23, NEEDS_PERSON, line-busy",
    "24, FINAL, not-prepared"
  })
  void theExitCodeIsTheClassOfTheError(int exit, WireErrorClass wireErrorClass, String code) throws IOException {
    host.script("upgrade", "echo the line is busy; echo code=line-busy; exit " + exit);

    assertThat(host.driver().upgrade(ScriptHost.job(CommandAction.UPGRADE)))
        .isEqualTo(new CommandResult.Failed(code, wireErrorClass, "the line is busy"));
  }

  @Test
  void anyOtherExitCodeIsAFinalErrorThatNamesIt() throws IOException {
    host.script("upgrade", "echo no idea; exit 7");

    assertThat(host.driver().upgrade(ScriptHost.job(CommandAction.UPGRADE)))
        .isEqualTo(new CommandResult.Failed("script-failed", WireErrorClass.FINAL, "`upgrade` ended with 7: no idea"));
  }

  @Test
  void aProgramMayAskForAReboot() throws IOException {
    host.script("upgrade", "exit 10");
    host.script("prepare", "exit 10");

    assertThat(host.driver().upgrade(ScriptHost.job(CommandAction.UPGRADE)))
        .isEqualTo(new CommandResult.RebootRequired());
    assertThat(host.driver().prepare(ScriptHost.job(CommandAction.PREPARE))).isInstanceOf(CommandResult.Failed.class);
  }

  @Test
  void whatItSaysIsProgressAndLog() throws IOException {
    host.script("upgrade", "echo one; echo two >&2; echo 2.0 >../installed; printf three");
    FakeJob job = ScriptHost.job(CommandAction.UPGRADE);

    host.driver().upgrade(job);

    assertThat(job.logLines()).containsExactlyInAnyOrder("one", "two", "three");
    assertThat(job.progress()).containsExactly("one", "three");
  }

  @Test
  void aProgramThatSaysDoneWhileAnotherVersionRunsIsNotBelieved() throws IOException {
    host.script("upgrade", "exit 0");

    assertThat(host.driver().upgrade(ScriptHost.job(CommandAction.UPGRADE)))
        .isInstanceOfSatisfying(
            CommandResult.Failed.class, failed -> assertThat(failed.code()).isEqualTo("version-mismatch"));
  }

  @Test
  void inspectMaySayWhatIsOffered() throws IOException {
    host.script("inspect", "echo version=1.0; echo 'offered=openssl=3.0.15  bash=5.2'; echo offered_security=1");
    PackageOffer two = host.driver().inspect().offer().orElseThrow();
    assertThat(two.updates()).isEqualTo(2);
    assertThat(two.security()).isEqualTo(1);

    host.script("inspect", "echo version=1.0; echo 'offered=bash=5.2 openssl=3.0.15'; echo offered_security=1");
    assertThat(host.driver().inspect().offer()).as("the same in another order").contains(two);
    host.script("inspect", "echo version=1.0; echo 'offered=bash=5.2 openssl=3.0.16'; echo offered_security=1");
    assertThat(host.driver().inspect().offer().orElseThrow().digest()).isNotEqualTo(two.digest());
    host.script("inspect", "echo version=1.0; echo offered=");
    assertThat(host.driver().inspect().offer()).contains(PackageOffer.NOTHING);
    host.script("inspect", "echo version=1.0");
    assertThat(host.driver().inspect().offer()).isEmpty();
    host.script("inspect", "echo version=1.0; echo offered=one; echo offered_security=many");
    assertThat(host.driver().inspect().offer().map(PackageOffer::security)).contains(0);
  }

  @Test
  void inspectMaySayMoreAndMayFail() throws IOException {
    host.script("inspect", "echo version=1.0; echo staged=2.0; echo on_trial=true");
    assertThat(host.driver().inspect()).isEqualTo(new PackageState("1.0", "2.0", true));

    host.script("inspect", "echo version=1.0; exit 1");
    assertThat(host.driver().inspect()).isEqualTo(PackageState.unknown());

    host.script("inspect", "echo 'version=not a version'");
    assertThat(host.driver().inspect()).isEqualTo(PackageState.unknown());

    host.script("inspect", "sleep 1000");
    assertThat(host.driver("inspect_timeout_seconds", "1").inspect()).isEqualTo(PackageState.unknown());

    host.deleteScript("inspect");
    assertThat(host.driver().inspect()).isEqualTo(PackageState.unknown());
  }

  @Test
  void whatIsMissingIsDoneOrRefused() throws IOException {
    for (String verb : new String[] {"prepare", "upgrade", "commit", "rollback"}) {
      host.deleteScript(verb);
    }

    assertThat(host.driver().prepare(ScriptHost.job(CommandAction.PREPARE))).isEqualTo(DONE);
    assertThat(host.driver().commit(ScriptHost.job(CommandAction.COMMIT))).isEqualTo(DONE);
    assertThat(failure(host.driver().upgrade(ScriptHost.job(CommandAction.UPGRADE)))).isEqualTo("no-script FINAL");
    assertThat(failure(host.driver().rollback(ScriptHost.job(CommandAction.ROLLBACK)))).isEqualTo("no-script DECLINED");
  }

  @Test
  void aProgramThatTakesTooLongIsKilledWithAllThatItStarted() throws IOException {
    host.script("upgrade", "sh -c 'echo $$ >../pid; sleep 1000'");

    CommandResult commandResult =
        host.driver("upgrade_timeout_seconds", "3").upgrade(ScriptHost.job(CommandAction.UPGRADE));

    assertThat(failure(commandResult)).isEqualTo("script-timeout FINAL");
    awaitEnd(host.pid());
  }

  @ParameterizedTest
  @CsvSource({"2, 1000, false", "1000, 2, true"})
  void theServerSaysHowLongItMayTakeUnlessTheHostHasASetting(long server, long setting, boolean isSet)
      throws IOException {
    host.script("upgrade", "sleep 1000");
    FakeJob job = ScriptHost.job("order-8", CommandAction.UPGRADE, Duration.ofSeconds(server));

    CommandResult commandResult =
        (isSet ? host.driver("upgrade_timeout_seconds", Long.toString(setting)) : host.driver()).upgrade(job);

    assertThat(failure(commandResult)).isEqualTo("script-timeout FINAL");
  }

  @Test
  void aCancelledPrepareIsAskedToEnd() throws IOException {
    host.script(
        "prepare", "trap 'echo cleaned >../calls; exit 0' TERM; echo $$ >../pid; while :; do sleep 0.05;" + " done");
    FakeJob job = ScriptHost.job(CommandAction.PREPARE);
    var result = new AtomicReference<CommandResult>(DONE);
    Thread agent = Thread.ofVirtual().start(() -> result.set(host.driver().prepare(job)));
    host.awaitPid();

    job.cancel();

    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !agent.isAlive());
    assertThat(result.get()).isEqualTo(new CommandResult.Cancelled());
    assertThat(host.calls()).containsExactly("cleaned");
  }

  @Test
  void anUpgradeIsNotBrokenOffOnceItHasBegun() throws Exception {
    host.script("upgrade", "echo $$ >../pid; while test ! -e ../go; do sleep 0.05; done; echo 2.0 >../installed");
    FakeJob job = ScriptHost.job(CommandAction.UPGRADE);
    var result = new AtomicReference<CommandResult>(new CommandResult.Cancelled());
    Thread agent = Thread.ofVirtual().start(() -> result.set(host.driver().upgrade(job)));
    host.awaitPid();

    job.cancel();
    Files.createFile(host.file("go"));

    agent.join();
    assertThat(result.get()).isEqualTo(DONE);
  }

  @Test
  void aKilledProgramIsRetryable() throws Exception {
    host.script("upgrade", "echo $$ >../pid; kill -KILL -$(cut -d' ' -f5 /proc/$$/stat)");

    assertThat(failure(host.driver().upgrade(ScriptHost.job(CommandAction.UPGRADE))))
        .isEqualTo("script-interrupted RETRYABLE");
  }

  private static void awaitEnd(long pid) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
  }
}
