package dev.uplift.agent;

import static dev.uplift.agent.AgentReleases.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Action;
import dev.uplift.protocol.Result;
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

/// The units of the agent under a real systemd, as first process of a container: notify, watchdog,
/// a unit per version, boots, crashes on trial. Skipped, and says so, where none can be booted.
@Timeout(600)
final class SystemdTest {
  private static final Result DONE = new Result.Done();
  private static final Map<String, String> TIMINGS =
      Map.of(
          "uplift-agent@.service",
          "[Service]\nWatchdogSec=6\nTimeoutAbortSec=2\nTimeoutStopSec=5\nRestartSec=100ms\n",
          "uplift-agent-check.timer",
          "[Timer]\nOnCalendar=\nOnCalendar=*:*:0/2\nAccuracySec=100ms\n");

  @TempDir private static Path folder;
  private static Site site;
  private static AgentReleases releases;

  @BeforeAll
  static void open() throws Exception {
    site = Site.open();
    releases = new AgentReleases(site, "real");
  }

  @AfterAll
  static void close() throws Exception {
    releases.close();
    site.close();
  }

  @Test
  void oneVersionFollowsTheOtherAndComesUpAgainAfterAReboot() throws Exception {
    try (Machine machine = boot("whole", "3600")) {
      Installed host = machine.host;
      assertThat(machine.unit("1.0.0", "ActiveState")).isEqualTo("active");
      assertThat(machine.programs("1.0.0")).containsExactly("java");
      String old = releases.bring(host, "real");
      assertThat(machine.unit("2.0.0", "ActiveState")).isEqualTo("active");

      assertThat(result(host.order(host.stop(releases.of("real"), old)))).isEqualTo(DONE);
      host.awaitWorking("2.0.0");
      assertThat(result(host.order(site.draft(Action.COMMIT, releases.of("real")))))
          .isEqualTo(DONE);
      await()
          .untilAsserted(
              () -> assertThat(machine.unit("1.0.0", "ActiveState")).isEqualTo("inactive"));
      assertThat(machine.unit("1.0.0", "Result")).isEqualTo("success");

      Set<String> known = host.instances();
      machine.reboot();

      host.awaitAnother(known, "2.0.0");
      assertThat(machine.unit("1.0.0", "ActiveState")).isEqualTo("inactive");
      assertThat(machine.systemctl("is-system-running")).as(machine.journal()).isEqualTo("running");
    }
  }

  @Test
  void newOneThatHangsIsStartedAnewAndLeftAfterTheThirdTime() throws Exception {
    try (Machine machine = boot("hangs", "3600")) {
      Installed host = machine.host;
      releases.bringAlone(host, "real");

      String[][] ends = {{"STOP", "2.0.0"}, {"KILL", "2.0.0"}, {"KILL", "1.0.0"}};
      for (String[] end : ends) {
        Set<String> known = host.instances();
        machine.signal("2.0.0", end[0]);
        host.awaitAnother(known, end[1]);
      }

      assertThat(machine.journal()).contains("Watchdog timeout");
      assertLeft(machine, "it was started 3 times and did not stay");
    }
  }

  @Test
  void powerThatFailsDuringTheHandoverAndACommitThatNeverComes() throws Exception {
    try (Machine machine = boot("dark", "20")) {
      Installed host = machine.host;
      releases.bring(host, "real");

      Set<String> known = host.instances();
      machine.powerOff();
      var _ = machine.boot();

      host.awaitAnother(known, "2.0.0");
      assertThat(machine.unit("1.0.0", "ActiveState")).isEqualTo("inactive");
      host.awaitAnother(known, "1.0.0");
      assertLeft(machine, "nobody committed it within 20 s");
    }
  }

  @Test
  void hostThatJoinsIsStartedNowAndAtEachBootAndAnewWhenItJoinsAnew() throws Exception {
    var host = new Installed(site, "joins").set("commit_within_s", "3600");
    host.configure();
    List<String> config = Files.readAllLines(host.host.config());
    config.removeIf(
        line -> line.matches(" *\"(tenant|host|nats|credentials_file|trust_folder)\".*"));
    Files.write(host.host.config(), config);
    Path own = Files.createDirectory(folder.resolve("joins"));
    try (var gatekeeper = new Gatekeeper(site.stack);
        Machine machine = Machine.of(host, own, site.stack.folder(), TIMINGS).boot()) {
      assertThat(machine.systemctl("is-enabled", "uplift-agent.service")).isEqualTo("disabled");

      assertThat(machine.launcher("join", gatekeeper.token("joins")).lines())
          .as(machine.journal())
          .endsWith("the agent runs, as a service of systemd, and after each boot", "0");

      host.awaitWorking("1.0.0");
      assertThat(machine.unit("1.0.0", "ActiveState")).isEqualTo("active");
      assertThat(machine.systemctl("is-enabled", "uplift-agent.service")).isEqualTo("enabled");
      assertThat(machine.systemctl("is-enabled", "uplift-agent-check.timer")).isEqualTo("enabled");

      Set<String> known = host.instances();
      assertThat(machine.launcher("join", gatekeeper.token("joins"))).endsWith("\n0");

      host.awaitAnother(known, "1.0.0");
      assertThat(machine.systemctl("is-system-running")).as(machine.journal()).isEqualTo("running");
    }
  }

  private static void assertLeft(Machine machine, String reason) throws Exception {
    Installed host = machine.host;
    site.awaitInfo(host.host, info -> info.upgradeError().equals("2.0.0: " + reason));
    assertThat(host.current()).isEqualTo("1.0.0");
    await()
        .untilAsserted(
            () -> assertThat(machine.unit("2.0.0", "ActiveState")).isIn("inactive", "failed"));
    assertThat(machine.unit("1.0.0", "ActiveState")).isEqualTo("active");
    // It is over with: systemd does not start it again and again.
    assertThat(machine.systemctl("is-failed", "uplift-agent@2.0.0"))
        .as(machine.journal())
        .isEqualTo("inactive");
  }

  private static Machine boot(String name, String commitWithin) throws Exception {
    var host = new Installed(site, name).set("commit_within_s", commitWithin);
    host.configure();
    Path own = Files.createDirectory(folder.resolve(name));
    Machine machine = Machine.of(host, own, site.stack.folder(), TIMINGS).enabled().boot();
    host.awaitWorking("1.0.0");
    return machine;
  }
}
