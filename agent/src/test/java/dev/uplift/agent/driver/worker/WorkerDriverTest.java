package dev.uplift.agent.driver.worker;

import static dev.uplift.agent.driver.TestJobs.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.driver.FakeJob;
import dev.uplift.agent.driver.PackageState;
import dev.uplift.agent.driver.TestJobs;
import dev.uplift.agent.driver.process.RunningPrograms;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.PackageOffer;
import dev.uplift.protocol.WireErrorClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class WorkerDriverTest {
  private static final CommandResult DONE = new CommandResult.Done();
  private static final CommandResult REBOOT_REQUIRED = new CommandResult.RebootRequired();

  private final Path folder;
  private final WorkerHost host;

  WorkerDriverTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    host = WorkerHost.create(folder);
  }

  @AfterEach
  void awaitEnd() {
    RunningPrograms.awaitEnded(folder);
  }

  /// AV-20, AV-26, AV-27, AV-29, AV-35, AV-36.
  @Test
  void theWorkerGetsOneMessageForEachStepAndReplies() throws IOException {
    assertThat(host.driver().prepare(WorkerHost.job(CommandAction.PREPARE))).isEqualTo(DONE);
    assertThat(host.driver().upgrade(WorkerHost.job(CommandAction.UPGRADE))).isEqualTo(DONE);

    assertThat(host.messages())
        .containsExactly(
            "{\"action\":\"prepare\",\"hosts\":[\"h02\"],\"not-after\":\"2026-11-20T13:00:00Z\"}",
            "{\"action\":\"upgrade\",\"host\":\"h02\"}");
    assertThat(host.driver().inspect()).isEqualTo(new PackageState("2.0", "", false));
    assertThat(host.driver().commit(WorkerHost.job(CommandAction.COMMIT))).isEqualTo(DONE);
  }

  @Test
  void whatItsHostIsOfferedIsSaidBesideTheVersionAndInstalledOverIt() throws IOException {
    host.running("2.0");
    host.worker(
        """
        reply() { printf '{"action":"%s","result":"%s"}\\n' "$1" "$2"; }
        printf '{"os":"2.0","os_offered":"%s","os_offered_security":"1"}\\n' "$(cat ../offered)"
        IFS= read -r message || exit 0
        [ $UPLIFT_STEP = prepare ] || : >../offered
        reply $UPLIFT_STEP done
        """);
    Files.writeString(host.file("offered"), "openssl=3.0.15 bash=5.2");
    assertThat(host.driver().inspect().offer().map(PackageOffer::updates)).contains(2);

    prepare("p-1");
    assertThat(upgrade("one")).isEqualTo(DONE);

    assertThat(host.driver().inspect())
        .isEqualTo(new PackageState("2.0", "", false, Optional.of(PackageOffer.NOTHING)));
  }

  /// AV-24: the version in use stays, and the prepared one is shown.
  @Test
  void prepareStagesTheVersion() {
    assertThat(host.driver().prepare(WorkerHost.job(CommandAction.PREPARE))).isEqualTo(DONE);

    assertThat(host.driver().inspect()).isEqualTo(new PackageState("1.0", "2.0", false));
  }

  /// AV-28.
  @Test
  void anyOtherResultOfPrepareIsTheTextOfItsError() throws IOException {
    host.on("prepare", "reply prepare 'no mirror is reachable'");
    assertThat(host.driver().prepare(WorkerHost.job("one", CommandAction.PREPARE)))
        .isEqualTo(new CommandResult.Failed("worker-failed", WireErrorClass.FINAL, "no mirror is reachable"));

    host.on("prepare", "reply prepare reboot-required");
    assertThat(host.driver().prepare(WorkerHost.job("two", CommandAction.PREPARE)))
        .isEqualTo(new CommandResult.Failed("worker-failed", WireErrorClass.FINAL, "reboot-required"));

    host.on("prepare", "reply prepare ''");
    assertThat(host.driver().prepare(WorkerHost.job("three", CommandAction.PREPARE)))
        .isEqualTo(new CommandResult.Failed("worker-failed", WireErrorClass.FINAL, "the worker's result is empty"));
    assertThat(failure(host.driver().upgrade(WorkerHost.job(CommandAction.UPGRADE)))).isEqualTo("not-prepared FINAL");
  }

  /// AV-33.
  @Test
  void thereIsNoUpgradeWithoutAPrepareAndOneForEach() throws IOException {
    assertThat(failure(upgrade("one"))).isEqualTo("not-prepared FINAL");
    assertThat(host.messages()).isEmpty();

    prepare("p-1");
    assertThat(upgrade("two")).isEqualTo(DONE);
    assertThat(failure(upgrade("three"))).isEqualTo("not-prepared FINAL");
    assertThat(host.messages()).hasSize(2);

    prepare("p-2");
    assertThat(upgrade("four")).isEqualTo(DONE);
  }

  /// AV-33: only the last `prepare` counts, and only for its release.
  @Test
  void anotherReleaseIsNotPrepared() throws IOException {
    prepare("p-1");
    FakeJob other = WorkerHost.job("other", CommandAction.UPGRADE, "3.0", WorkerHost.release("3.0"));
    assertThat(failure(host.driver().upgrade(other))).isEqualTo("not-prepared FINAL");

    host.on("prepare", "reply prepare 'the disk is full'");
    host.driver().prepare(WorkerHost.job("p-2", CommandAction.PREPARE));
    assertThat(failure(upgrade("one"))).isEqualTo("not-prepared FINAL");
  }

  /// AV-33: an upgrade that failed has used the `prepare` up as well.
  @Test
  void afterAFailedUpgradeItHasToBePreparedAgain() throws IOException {
    host.on("upgrade", "reply upgrade 'dpkg was interrupted'");
    prepare("p-1");
    assertThat(failure(upgrade("one"))).isEqualTo("worker-failed FINAL");

    assertThat(failure(upgrade("two"))).isEqualTo("not-prepared FINAL");
  }

  /// AV-37.
  @Test
  void anUpgradeMayAskForAReboot() throws IOException {
    host.on("upgrade", "reply upgrade reboot-required");
    prepare("p-1");

    assertThat(upgrade("one")).isEqualTo(REBOOT_REQUIRED);
  }

  /// AV-38.
  @Test
  void anyOtherResultOfUpgradeIsTheTextOfItsError() throws IOException {
    host.on("upgrade", "reply upgrade 'dpkg was interrupted'");
    prepare("p-1");

    assertThat(upgrade("one"))
        .isEqualTo(new CommandResult.Failed("worker-failed", WireErrorClass.FINAL, "dpkg was interrupted"));
  }

  /// AV-15, AV-16, AV-72: of several replies the first counts, and those to other messages do not.
  @Test
  void theFirstReplyToTheMessageCounts() throws IOException {
    host.on(
        "upgrade", "reply prepare 'late'; echo 2.0 >../running; reply upgrade done; reply upgrade 'and yet it failed'");
    prepare("p-1");

    assertThat(upgrade("one")).isEqualTo(DONE);
  }

  /// AV-18: no reply within the time fails the step.
  @Test
  void aWorkerThatDoesNotReplyFailsItsStep() throws IOException {
    prepare("p-1");
    host.on("upgrade", "sleep 1000");
    assertThat(
            failure(
                host.driver(Map.of("upgrade_timeout_seconds", "2"))
                    .upgrade(WorkerHost.job("one", CommandAction.UPGRADE))))
        .isEqualTo("worker-timeout FINAL");

    prepare("p-2");
    host.on("upgrade", "echo no idea; exit 3");
    assertThat(upgrade("two"))
        .isEqualTo(
            new CommandResult.Failed(
                "no-reply", WireErrorClass.FINAL, "`worker` ended with 3 without a reply to `upgrade`"));

    prepare("p-3");
    host.on("upgrade", "kill -9 $PPID; kill -9 $$");
    assertThat(failure(upgrade("three"))).isEqualTo("worker-interrupted RETRYABLE");
    host.on("upgrade", "echo 2.0 >../running; reply upgrade done");
    assertThat(upgrade("four")).isEqualTo(DONE);
  }

  @Test
  void aWorkerThatDoesNotEndAfterItsReplyIsEndedAndItsReplyCounts() throws IOException {
    prepare("p-1");
    host.on("upgrade", "echo 2.0 >../running; reply upgrade done; sleep 1000");

    assertThat(host.driver(Map.of("end_timeout_seconds", "1")).upgrade(WorkerHost.job("one", CommandAction.UPGRADE)))
        .isEqualTo(DONE);
  }

  @Test
  void aWorkerThatSaysDoneWhileAnotherVersionRunsIsNotBelieved() throws IOException {
    prepare("p-1");
    host.on("upgrade", "reply upgrade done");

    assertThat(failure(upgrade("one"))).isEqualTo("version-mismatch FINAL");
  }

  @Test
  void aCancelledPrepareIsAskedToEnd() throws IOException {
    host.on("prepare", "trap 'exit 0' TERM; : >../begun; while :; do sleep 0.05; done");
    FakeJob job = WorkerHost.job(CommandAction.PREPARE);
    var result = new AtomicReference<CommandResult>(DONE);
    Thread agent = Thread.ofVirtual().start(() -> result.set(host.driver().prepare(job)));
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(host.file("begun")));

    job.cancel();

    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !agent.isAlive());
    assertThat(result.get()).isEqualTo(new CommandResult.Cancelled());
  }

  @Test
  void anUpgradeIsCancelledOnlyBeforeItHasBegun() throws IOException {
    prepare("p-1");
    FakeJob job = WorkerHost.job("one", CommandAction.UPGRADE);
    job.cancel();
    assertThat(host.driver().upgrade(job)).isEqualTo(new CommandResult.Cancelled());

    assertThat(upgrade("two")).isEqualTo(DONE);
    FakeJob begun = WorkerHost.job("two", CommandAction.UPGRADE);
    begun.cancel();
    assertThat(host.driver().upgrade(begun)).isEqualTo(DONE);
  }

  /// AV-48, AV-51.
  @Test
  void theVersionIsTheOneThatTheWorkerSaysOfThePackage() throws IOException {
    assertThat(host.driver().inspect().version()).isEqualTo("1.0");
    assertThat(host.driver(Map.of("version_key", "kernel")).inspect().version()).isEqualTo("6.1");
    assertThat(host.driver(Map.of("version_key", "other")).inspect()).isEqualTo(PackageState.unknown());

    host.running("not a version");
    assertThat(host.driver().inspect()).isEqualTo(PackageState.unknown());
    host.worker("echo '{\"os\":\"1.0\"}'; exit 1");
    assertThat(host.driver().inspect()).isEqualTo(PackageState.unknown());
    host.worker("sleep 1000");
    assertThat(host.driver(Map.of("inspect_timeout_seconds", "1")).inspect()).isEqualTo(PackageState.unknown());
    Files.delete(host.file("worker/worker"));
    assertThat(host.driver().inspect()).isEqualTo(PackageState.unknown());
    assertThat(failure(host.driver().prepare(WorkerHost.job(CommandAction.PREPARE)))).isEqualTo("no-worker FINAL");
  }

  /// AV-12: the name of the host, and all else, is given.
  @Test
  void theWorkerGetsTheWholeCommandInItsEnvironment() throws IOException {
    Path artifact = Files.writeString(folder.resolve("artifact"), "bytes");
    host.on("prepare", "env | grep ^UPLIFT_ | sort >../env; reply prepare done");

    host.driver(Map.of("port", "8080"))
        .prepare(
            TestJobs.job("order-7", CommandAction.PREPARE, "2.0", WorkerHost.releaseWithArtifact(), _ -> artifact));

    assertThat(Files.readAllLines(host.file("env")))
        .containsExactly(
            "UPLIFT_ARTIFACT=" + artifact,
            "UPLIFT_COMMAND_ID=order-7",
            "UPLIFT_CURRENT_VERSION=1.0",
            "UPLIFT_DIGEST=" + "ab".repeat(32),
            "UPLIFT_HOST=h02",
            "UPLIFT_PACKAGE=os",
            "UPLIFT_RELEASE_VERSION=2.0",
            "UPLIFT_SETTING_PORT=8080",
            "UPLIFT_SIZE=5",
            "UPLIFT_STATE_FOLDER=" + folder.resolve("state/worker-state"),
            "UPLIFT_STEP=prepare",
            "UPLIFT_TENANT=acme",
            "UPLIFT_VERSION=2.0");
  }

  @Test
  void whatIsNoMessageIsProgressAndAllIsLogged() throws IOException {
    host.on("prepare", "echo 40 of 90 MB; echo warning >&2; reply prepare done");
    FakeJob job = WorkerHost.job(CommandAction.PREPARE);

    host.driver().prepare(job);

    assertThat(job.progress()).containsExactly("40 of 90 MB");
    assertThat(job.logLines())
        .containsExactlyInAnyOrder(
            "{\"os\":\"1.0\",\"kernel\":\"6.1\"}",
            "40 of 90 MB",
            "warning",
            "{\"action\":\"prepare\",\"result\":\"done\"}");
  }

  /// Neither what it says nor how much of it: the reply is found behind megabytes of one line, and a text is cut.
  @Test
  void whatAWorkerSaysDoesNoHarm() throws IOException {
    host.on(
        "prepare",
        "head -c 3000000 /dev/zero | tr '\\0' x; echo; printf '{\"a\":%s' '[[[[[['; echo; printf '\\377\\n';"
            + " reply prepare \"\\u001b[2J$(head -c 5000 /dev/zero | tr '\\0' y)\"");

    assertThat(host.driver().prepare(WorkerHost.job(CommandAction.PREPARE)))
        .isInstanceOfSatisfying(
            CommandResult.Failed.class,
            failed -> {
              assertThat(failed.code()).isEqualTo("worker-failed");
              assertThat(failed.text()).hasSize(1000).doesNotContain("\u001b");
            });
  }

  @Test
  void aWorkerThatOthersMayChangeIsNotRun() throws IOException {
    Files.setPosixFilePermissions(host.file("worker/worker"), PosixFilePermissions.fromString("rwxrwxrwx"));

    assertThat(host.driver().inspect()).isEqualTo(PackageState.unknown());
    assertThat(failure(host.driver().prepare(WorkerHost.job(CommandAction.PREPARE))))
        .isEqualTo("insecure-permissions NEEDS_PERSON");
    assertThat(host.messages()).isEmpty();
  }

  @Test
  void rollbackSucceedsOnlyOnAHostThatNeverLeftTheVersion() throws IOException {
    prepare("p-1");
    assertThat(rollback("back-1")).isEqualTo(DONE);
    assertThat(host.driver().inspect()).isEqualTo(new PackageState("1.0", "", false));

    prepare("p-2");
    assertThat(upgrade("one")).isEqualTo(DONE);
    assertThat(failure(rollback("back-2"))).isEqualTo("no-rollback DECLINED");
  }

  @Test
  void rollbackIsDeclinedWhileTheNextBootChangesTheVersion() throws IOException {
    host.on("upgrade", "reply upgrade reboot-required");
    prepare("p-1");
    assertThat(upgrade("one")).isEqualTo(REBOOT_REQUIRED);
    assertThat(failure(rollback("back-1"))).isEqualTo("no-rollback DECLINED");

    host.boot();

    assertThat(rollback("back-2")).isEqualTo(DONE);
  }

  private void prepare(String id) {
    assertThat(host.driver().prepare(WorkerHost.job(id, CommandAction.PREPARE))).isEqualTo(DONE);
  }

  private CommandResult upgrade(String id) {
    return host.driver().upgrade(WorkerHost.job(id, CommandAction.UPGRADE));
  }

  private CommandResult rollback(String id) {
    return host.driver().rollback(WorkerHost.job(id, CommandAction.ROLLBACK));
  }
}
