package dev.uplift.agent;

import static dev.uplift.agent.AgentReleases.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The units of the agent under a real systemd, as first process of a container: notify, watchdog, a unit per version,
/// boots, crashes on trial. Skipped, and says so, where none can be booted.
@Timeout(600)
final class SystemdTest {
  private static final CommandResult DONE = new CommandResult.Done();
  private static final Map<String, String> TIMINGS =
      Map.of(
          "uplift-agent@.service",
          "[Service]\nWatchdogSec=6\nTimeoutAbortSec=2\nTimeoutStopSec=5\nRestartSec=100ms\n",
          "uplift-agent-check.timer",
          "[Timer]\nOnCalendar=\nOnCalendar=*:*:0/2\nAccuracySec=100ms\n");

  @TempDir private static Path folder;
  private static AgentTestbed testbed;
  private static AgentReleases releases;

  @BeforeAll
  static void open() throws Exception {
    testbed = AgentTestbed.open();
    releases = new AgentReleases(testbed, "real");
  }

  @AfterAll
  static void close() throws Exception {
    releases.close();
    testbed.close();
  }

  @Test
  void oneVersionFollowsTheOtherAndComesUpAgainAfterAReboot() throws Exception {
    try (SystemdContainer systemdContainer = boot("whole", "3600")) {
      SelfUpgradingHost host = systemdContainer.host;
      assertThat(systemdContainer.unit("1.0.0", "ActiveState")).isEqualTo("active");
      assertThat(systemdContainer.processNames("1.0.0")).containsExactly("java");
      String old = releases.bringToStandby(host, "real");
      assertThat(systemdContainer.unit("2.0.0", "ActiveState")).isEqualTo("active");

      assertThat(result(host.order(host.stop(releases.of("real"), old)))).isEqualTo(DONE);
      host.awaitWorking("2.0.0");
      assertThat(result(host.order(testbed.draft(CommandAction.COMMIT, releases.of("real"))))).isEqualTo(DONE);
      await().untilAsserted(() -> assertThat(systemdContainer.unit("1.0.0", "ActiveState")).isEqualTo("inactive"));
      assertThat(systemdContainer.unit("1.0.0", "Result")).isEqualTo("success");

      Set<String> known = host.instances();
      systemdContainer.reboot();

      host.awaitAnother(known, "2.0.0");
      assertThat(systemdContainer.unit("1.0.0", "ActiveState")).isEqualTo("inactive");
      assertThat(systemdContainer.runSystemctl("is-system-running"))
          .as(systemdContainer.journal())
          .isEqualTo("running");
    }
  }

  @Test
  void hangingAgentIsRestartedAndRolledBackAfterTheThirdTime() throws Exception {
    try (SystemdContainer systemdContainer = boot("hangs", "3600")) {
      SelfUpgradingHost host = systemdContainer.host;
      releases.takeOver(host, "real");

      String[][] ends = {{"STOP", "2.0.0"}, {"KILL", "2.0.0"}, {"KILL", "1.0.0"}};
      for (String[] end : ends) {
        Set<String> known = host.instances();
        systemdContainer.signal("2.0.0", end[0]);
        host.awaitAnother(known, end[1]);
      }

      assertThat(systemdContainer.journal()).contains("Watchdog timeout");
      assertLeft(systemdContainer, "it was started 3 times and did not stay");
    }
  }

  @Test
  void powerThatFailsDuringTheHandoverAndACommitThatNeverComes() throws Exception {
    try (SystemdContainer systemdContainer = boot("dark", "20")) {
      SelfUpgradingHost host = systemdContainer.host;
      releases.bringToStandby(host, "real");

      Set<String> known = host.instances();
      systemdContainer.powerOff();
      var _ = systemdContainer.boot();

      host.awaitAnother(known, "2.0.0");
      assertThat(systemdContainer.unit("1.0.0", "ActiveState")).isEqualTo("inactive");
      testbed.sendUntrusted(host.host);
      host.awaitAnother(known, "1.0.0");
      assertLeft(systemdContainer, "not committed within 20 s");
    }
  }

  @Test
  void joiningHostStartsNowAtEachBootAndWhenItJoinsAgain() throws Exception {
    var host = new SelfUpgradingHost(testbed, "joins").set("commit_within_seconds", "3600");
    host.configure();
    List<String> config = Files.readAllLines(host.host.config());
    config.removeIf(line -> line.matches(" *\"(tenant|host|nats_urls|credentials_file|trust_folder)\".*"));
    Files.write(host.host.config(), config);
    Path own = Files.createDirectory(folder.resolve("joins"));
    try (var enrolmentServer = new FakeEnrolmentServer(testbed.stack);
        SystemdContainer systemdContainer = SystemdContainer.of(host, own, testbed.stack.folder(), TIMINGS).boot()) {
      assertThat(systemdContainer.runSystemctl("is-enabled", "uplift-agent.service")).isEqualTo("disabled");

      assertThat(systemdContainer.runLauncher("join", enrolmentServer.token("joins")).lines())
          .as(systemdContainer.journal())
          .endsWith("the agent runs, as a service of systemd, and after each boot", "0");

      host.awaitWorking("1.0.0");
      assertThat(systemdContainer.unit("1.0.0", "ActiveState")).isEqualTo("active");
      assertThat(systemdContainer.runSystemctl("is-enabled", "uplift-agent.service")).isEqualTo("enabled");
      assertThat(systemdContainer.runSystemctl("is-enabled", "uplift-agent-check.timer")).isEqualTo("enabled");

      Set<String> known = host.instances();
      assertThat(systemdContainer.runLauncher("join", enrolmentServer.token("joins"))).endsWith("\n0");

      host.awaitAnother(known, "1.0.0");
      assertThat(systemdContainer.runSystemctl("is-system-running"))
          .as(systemdContainer.journal())
          .isEqualTo("running");
    }
  }

  private static void assertLeft(SystemdContainer systemdContainer, String reason) throws Exception {
    SelfUpgradingHost host = systemdContainer.host;
    testbed.awaitInfo(host.host, info -> info.upgradeError().equals("2.0.0: " + reason));
    assertThat(host.current()).isEqualTo("1.0.0");
    await().untilAsserted(() -> assertThat(systemdContainer.unit("2.0.0", "ActiveState")).isIn("inactive", "failed"));
    assertThat(systemdContainer.unit("1.0.0", "ActiveState")).isEqualTo("active");
    // It is over with: systemd does not start it again and again.
    assertThat(systemdContainer.runSystemctl("is-failed", "uplift-agent@2.0.0"))
        .as(systemdContainer.journal())
        .isEqualTo("inactive");
  }

  private static SystemdContainer boot(String name, String commitWithin) throws Exception {
    var host = new SelfUpgradingHost(testbed, name).set("commit_within_seconds", commitWithin);
    host.configure();
    Path own = Files.createDirectory(folder.resolve(name));
    SystemdContainer systemdContainer =
        SystemdContainer.of(host, own, testbed.stack.folder(), TIMINGS).enableUnits().boot();
    host.awaitWorking("1.0.0");
    return systemdContainer;
  }
}
