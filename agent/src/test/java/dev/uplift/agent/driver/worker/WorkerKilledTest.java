package dev.uplift.agent.driver.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.driver.KilledAgent;
import dev.uplift.agent.driver.process.RunningPrograms;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The agent is killed with -9 while a worker is at work.
@Timeout(300)
final class WorkerKilledTest {
  private static final List<String> UPGRADED_ONCE = List.of("{\"action\":\"upgrade\",\"host\":\"h02\"}");
  private static final String WAITING =
      "while test ! -e ../go; do sleep 0.05; done; echo 2.0 >../running; reply upgrade reboot-required";

  private final Path folder;
  private final WorkerHost host;

  WorkerKilledTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    host = WorkerHost.create(folder);
    host.on("upgrade", WAITING);
    assertThat(host.driver().prepare(WorkerHost.job(CommandAction.PREPARE))).isEqualTo(new CommandResult.Done());
    Files.writeString(host.file("messages"), "");
  }

  /// AV-6, AV-7: a message that was being executed is neither lost nor given a second time.
  @Test
  void theWorkerContinuesAndItsReplyIsFoundAgain() throws Exception {
    killAgentAtWork();

    Files.createFile(host.file("go"));
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Files.readString(host.file("running")).equals("2.0\n"));
    RunningPrograms.awaitEnded(folder);

    assertThat(again()).isEqualTo(new CommandResult.RebootRequired());
    assertThat(host.messages()).isEqualTo(UPGRADED_ONCE);
  }

  @Test
  void theNextAgentWaitsForAWorkerThatIsStillAtWork() throws Exception {
    killAgentAtWork();
    KilledAgent.startAndKill(WorkerRunner.class, folder, () -> true);

    Files.createFile(host.file("go"));

    assertThat(again()).isEqualTo(new CommandResult.RebootRequired());
    assertThat(host.messages()).isEqualTo(UPGRADED_ONCE);
  }

  /// AV-16: killed after it has recorded the reply, and before the server had it.
  @Test
  void theReplyIsTheSameHoweverOftenItIsAskedFor() throws Exception {
    Files.createFile(host.file("go"));

    assertThat(again()).isEqualTo(new CommandResult.RebootRequired());
    assertThat(again()).isEqualTo(new CommandResult.RebootRequired());

    assertThat(host.messages()).isEqualTo(UPGRADED_ONCE);
  }

  /// AV-34: the worker may reboot the host within `upgrade`, and gets the message again after the boot.
  @Test
  void anUpgradeThatRebootsTheHostIsContinuedAfterTheBoot() throws Exception {
    host.on(
        "upgrade",
        "if test -e ../booted; then echo 2.0 >../running; reply upgrade done; else kill -9 $PPID; kill -9 $$; fi");
    assertThat(again())
        .isInstanceOfSatisfying(
            CommandResult.Failed.class, failed -> assertThat(failed.code()).isEqualTo("worker-interrupted"));

    host.boot();
    Files.createFile(host.file("booted"));

    assertThat(again()).isEqualTo(new CommandResult.Done());
    assertThat(host.messages()).hasSize(2);
  }

  private CommandResult again() {
    return host.driver().upgrade(WorkerHost.job("order-1", CommandAction.UPGRADE));
  }

  private void killAgentAtWork() throws Exception {
    KilledAgent.startAndKill(WorkerRunner.class, folder, () -> host.messages().equals(UPGRADED_ONCE));
  }
}
