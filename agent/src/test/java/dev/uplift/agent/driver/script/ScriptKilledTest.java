package dev.uplift.agent.driver.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.driver.FakeJob;
import dev.uplift.agent.driver.KilledAgent;
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

/// The agent is killed with -9 while an operator's program runs.
@Timeout(300)
final class ScriptKilledTest {
  private static final String WAITING =
      "echo upgrade >>../calls; while test ! -e ../go; do sleep 0.05; done;"
          + " echo 2.0 >../installed; echo finished; exit 10";

  private final Path folder;
  private final ScriptHost host;

  ScriptKilledTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    host = ScriptHost.prepared(folder);
  }

  @Test
  void theProgramContinuesAndItsResultIsFoundAgain() throws Exception {
    host.script("upgrade", WAITING);
    killAgentAtWork();

    Files.createFile(host.file("go"));
    awaitInstalled();

    assertThat(again()).isEqualTo(new CommandResult.RebootRequired());
    assertThat(host.calls()).containsExactly("upgrade");
  }

  @Test
  void theNextAgentWaitsForAProgramThatStillRuns() throws Exception {
    host.script("upgrade", WAITING);
    killAgentAtWork();
    KilledAgent.startAndKill(ScriptRunner.class, folder, () -> true);

    Files.createFile(host.file("go"));

    assertThat(again()).isEqualTo(new CommandResult.RebootRequired());
    assertThat(host.calls()).containsExactly("upgrade");
  }

  @Test
  void itsResultCountsAlsoIfTheCommandIsCancelledMeanwhile() throws Exception {
    host.script("upgrade", WAITING);
    killAgentAtWork();
    FakeJob cancelled = ScriptHost.job("order-1", CommandAction.UPGRADE);
    cancelled.cancel();

    Files.createFile(host.file("go"));

    assertThat(host.driver().upgrade(cancelled)).isEqualTo(new CommandResult.RebootRequired());
    assertThat(host.calls()).containsExactly("upgrade");
  }

  private CommandResult again() {
    return host.driver().upgrade(ScriptHost.job("order-1", CommandAction.UPGRADE));
  }

  private void killAgentAtWork() throws Exception {
    KilledAgent.startAndKill(ScriptRunner.class, folder, () -> host.calls().equals(List.of("upgrade")));
  }

  private void awaitInstalled() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Files.readString(host.file("installed")).equals("2.0\n"));
  }
}
