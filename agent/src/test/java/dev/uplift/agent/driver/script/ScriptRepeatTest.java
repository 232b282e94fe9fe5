package dev.uplift.agent.driver.script;

import static dev.uplift.agent.driver.TestJobs.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.driver.FakeJob;
import dev.uplift.agent.driver.TestJobs;
import dev.uplift.agent.driver.process.RunningPrograms;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Repeats commands, with and without another `prepare`.
@Timeout(300)
final class ScriptRepeatTest {
  private static final CommandResult DONE = new CommandResult.Done();

  private final Path folder;
  private final ScriptHost host;

  ScriptRepeatTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    host = ScriptHost.prepared(folder);
  }

  @Test
  void theSameCommandAgainDoesNotRunItAgain() throws IOException {
    host.driver().upgrade(ScriptHost.job("order-1", CommandAction.UPGRADE));

    assertThat(host.driver().upgrade(ScriptHost.job("order-1", CommandAction.UPGRADE))).isEqualTo(DONE);

    assertThat(host.calls()).containsExactly("upgrade");
  }

  @Test
  void afterAnErrorTheSameCommandRunsItAgain() throws IOException {
    host.script("upgrade", "echo try >>../calls; test -e ../ready || exit 20; echo 2.0 >../installed");
    FakeJob job = ScriptHost.job("order-1", CommandAction.UPGRADE);
    assertThat(host.driver().upgrade(job)).isInstanceOf(CommandResult.Failed.class);

    Files.createFile(host.file("ready"));

    assertThat(host.driver().upgrade(job)).isEqualTo(DONE);
    assertThat(host.calls()).containsExactly("try", "try");
  }

  @Test
  void afterALossOfPowerAnUnfinishedProgramRunsAgain() throws Exception {
    host.script(
        "upgrade", "echo try >>../calls; echo $$ >../pid; test -e ../go || sleep 1000; echo 2.0" + " >../installed");
    FakeJob job = ScriptHost.job("order-1", CommandAction.UPGRADE);
    Thread agent = Thread.ofPlatform().start(() -> host.driver().upgrade(job));
    host.awaitPid();
    agent.interrupt();
    agent.join();
    long lost = host.pid();

    host.simulatePowerLoss();
    Files.createFile(host.file("go"));

    assertThat(host.driver().upgrade(job)).isEqualTo(DONE);
    assertThat(host.calls()).containsExactly("try", "try");
    // No power was really lost.
    ProcessHandle.of(lost)
        .ifPresent(script -> {
          script.descendants().forEach(ProcessHandle::destroyForcibly);
          script.destroyForcibly();
        });
    RunningPrograms.awaitEnded(folder);
  }

  @Test
  void anUpgradeIsCancelledOnlyBeforeItHasBegun() throws IOException {
    FakeJob notBegun = ScriptHost.job("order-1", CommandAction.UPGRADE);
    notBegun.cancel();
    assertThat(host.driver().upgrade(notBegun)).isEqualTo(new CommandResult.Cancelled());
    assertThat(host.calls()).isEmpty();

    assertThat(host.driver().upgrade(ScriptHost.job("order-2", CommandAction.UPGRADE))).isEqualTo(DONE);
    FakeJob begun = ScriptHost.job("order-2", CommandAction.UPGRADE);
    begun.cancel();
    assertThat(host.driver().upgrade(begun)).isEqualTo(DONE);
    assertThat(host.calls()).containsExactly("upgrade");
  }

  /// AV-33.
  @Test
  void thereIsNoUpgradeWithoutAPrepareSinceTheLastOne() throws IOException {
    assertThat(host.driver().upgrade(ScriptHost.job("one", CommandAction.UPGRADE))).isEqualTo(DONE);

    assertThat(failure(host.driver().upgrade(ScriptHost.job("two", CommandAction.UPGRADE))))
        .isEqualTo("not-prepared FINAL");

    assertThat(host.driver().prepare(ScriptHost.job("three", CommandAction.PREPARE))).isEqualTo(DONE);
    assertThat(host.driver().upgrade(ScriptHost.job("four", CommandAction.UPGRADE))).isEqualTo(DONE);
    assertThat(host.calls()).containsExactly("upgrade", "prepare", "upgrade");
  }

  /// AV-33: another release, one whose `prepare` has failed, and one that was rolled back are not prepared.
  @Test
  void onlyTheLastPrepareThatWasDoneCounts() throws IOException {
    FakeJob other =
        TestJobs.job(CommandAction.UPGRADE, "2.0", ScriptHost.releaseWithArtifact(), _ -> folder.resolve("artifact"));
    assertThat(failure(host.driver().upgrade(other))).isEqualTo("not-prepared FINAL");

    assertThat(host.driver().rollback(ScriptHost.job(CommandAction.ROLLBACK))).isEqualTo(DONE);
    assertThat(failure(host.driver().upgrade(ScriptHost.job("one", CommandAction.UPGRADE))))
        .isEqualTo("not-prepared FINAL");

    host.script("prepare", "exit 21");
    assertThat(host.driver().prepare(ScriptHost.job("two", CommandAction.PREPARE)))
        .isInstanceOf(CommandResult.Failed.class);
    assertThat(failure(host.driver().upgrade(ScriptHost.job("three", CommandAction.UPGRADE))))
        .isEqualTo("not-prepared FINAL");
    assertThat(host.calls()).containsExactly("rollback");
  }
}
