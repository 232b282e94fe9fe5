package dev.uplift.agent.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `join` and `start`: what becomes of the agent. What starts without systemd are real processes, which outlive the
/// launcher that has started them.
final class LauncherJoinTest {
  private static final int USAGE = 2;
  private static final int UNFIT = 12;
  private static final int AWAY = 14;
  private static final int REFUSED = 15;
  private static final int NOT_STARTED = 16;

  @TempDir private Path folder;
  private LauncherHost host;

  @BeforeEach
  void install() throws IOException {
    host = new LauncherHost(folder);
  }

  @AfterEach
  void end() throws IOException {
    supervisor().ifPresent(ProcessHandle::destroyForcibly);
    host.powerOff();
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> {
          assertThat(supervisor()).isEmpty();
          assertThat(host.alive()).isEmpty();
        });
  }

  private Optional<ProcessHandle> supervisor() throws IOException {
    String file = host.text("run/supervisor");
    return file.isEmpty()
        ? Optional.empty()
        : ProcessHandle.of(Long.parseLong(file.split(" ", -1)[0])).filter(ProcessHandle::isAlive);
  }

  @Test
  void agentOfAHostThatJoinsRunsInASessionOfItsOwn() throws Exception {
    LauncherHost.Run run = host.run("join", "token");

    assertThat(run.exitCode()).as(run.errors()).isZero();
    ProcessHandle launcher = supervisor().orElseThrow();
    assertThat(run.output().lines())
        .containsExactly(
            "joined as left of acme",
            "the agent runs: process " + launcher.pid() + ", log " + folder + "/agent.log",
            "have the init system of this host run \"" + folder + "/launcher supervise\" at each boot");
    assertThat(host.alive()).containsExactly("1.0");
    assertThat(session(launcher.pid())).isEqualTo(launcher.pid());
    assertThat(host.text("agent.log")).contains("launcher: starts 1.0");

    launcher.destroy();

    await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(host.alive()).isEmpty());
  }

  private static long session(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[3]);
  }

  @Test
  void runningAgentIsRestartedUnderItsLauncherWhenItsHostJoinsAgain() throws Exception {
    assertThat(host.run("join", "-").exitCode()).isZero();
    long launcher = supervisor().orElseThrow().pid();

    LauncherHost.Run again = host.run("join", "token");

    assertThat(again.exitCode()).as(again.errors()).isZero();
    assertThat(again.output()).contains("the agent runs, under the launcher that looks after it");
    assertThat(host.started()).containsExactly("1.0", "1.0");
    assertThat(host.alive()).containsExactly("1.0");
    assertThat(supervisor().orElseThrow().pid()).isEqualTo(launcher);

    assertThat(host.run("start").exitCode()).isZero();
    assertThat(host.started()).containsExactly("1.0", "1.0");
  }

  @Test
  void hostThatIsRefusedStartsNothing() throws Exception {
    host.setJoinExitCode(REFUSED);

    assertThat(host.run("join", "token").exitCode()).isEqualTo(REFUSED);

    assertThat(host.started()).isEmpty();
    assertThat(supervisor()).isEmpty();
  }

  @Test
  void imageThatIsBuiltJoinsAndStartsNothing() throws Exception {
    for (String[] words : new String[][] {{"--no-start", "token"}, {"token", "--no-start"}}) {
      LauncherHost.Run run = host.run("join", words[0], words[1]);
      assertThat(run.exitCode()).isZero();
      assertThat(run.output()).contains("joined as left of acme", "the agent was left as it is");
    }
    assertThat(host.started()).isEmpty();
  }

  @Test
  void agentThatIsNotFitToRunIsNotStartedThoughItsHostHasJoined() throws Exception {
    host.setSelfTestExitCode(UNFIT);
    LauncherHost.Run run = host.run("join", "token");

    assertThat(run.exitCode()).isEqualTo(NOT_STARTED);
    assertThat(run.output()).isEqualTo("joined as left of acme");
    assertThat(run.errors()).contains("root 1", "not fit to run", "joined, but the agent does not run");
    assertThat(host.started()).isEmpty();

    host.setSelfTestExitCode(0);
    assertThat(host.run("start").exitCode()).isZero();
    assertThat(host.alive()).containsExactly("1.0");
  }

  @Test
  void agentWaitsForAnUnavailableServer() throws Exception {
    host.setSelfTestExitCode(AWAY);

    LauncherHost.Run run = host.run("join", "token");

    assertThat(run.exitCode()).isZero();
    assertThat(run.output()).contains("NATS cannot be reached yet", "the agent runs: process");
    assertThat(host.alive()).containsExactly("1.0");
  }

  @Test
  void whereSystemdKnowsTheUnitsItStartsThemAndAfterEachBoot() throws Exception {
    systemd(0);

    LauncherHost.Run run = host.run("join", "token");

    assertThat(run.exitCode()).as(run.errors()).isZero();
    assertThat(run.output()).contains("the agent runs, as a service of systemd");
    assertThat(host.text("orders").lines())
        .containsExactly(
            "cat uplift-agent.service",
            "enable --quiet --now uplift-agent.service uplift-agent-check.timer",
            "try-restart uplift-agent@*.service",
            "start uplift-agent@1.0.service");
  }

  @Test
  void hostThatSystemdDoesNotStartTheAgentOfHasJoinedAllTheSame() throws Exception {
    systemd(1);

    LauncherHost.Run run = host.run("join", "token");

    assertThat(run.exitCode()).isEqualTo(NOT_STARTED);
    assertThat(run.output()).isEqualTo("joined as left of acme");
    assertThat(run.errors()).contains("journalctl", "joined, but the agent does not run");
  }

  @ParameterizedTest
  @ValueSource(strings = {"join", "join --no-start", "join one two", "join --start token", "start x"})
  void whatIsNotUnderstoodDoesNothing(String line) throws Exception {
    assertThat(host.run(line.split(" ", -1)).exitCode()).isEqualTo(USAGE);
    assertThat(host.started()).isEmpty();
  }

  /// Knows the unit of this launcher.
  ///
  /// @param start the code that it ends with when it is to start a unit
  private void systemd(int start) throws IOException {
    host.script(
        folder.resolve("bin/systemctl"),
        """
        #!/bin/sh
        echo "$*" >>'%1$s/orders'
        case $1 in
          cat) echo 'ExecStart=%1$s/launcher boot' ;;
          start) exit %2$d ;;
        esac
        """
            .formatted(folder, start));
    host.script(folder.resolve("bin/systemd-escape"), "#!/bin/sh\necho \"$2\"");
  }
}
