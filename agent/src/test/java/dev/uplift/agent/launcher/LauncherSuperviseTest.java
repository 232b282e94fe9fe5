package dev.uplift.agent.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher as parent of the agents, where no systemd is.
final class LauncherSuperviseTest {
  @TempDir private Path folder;
  private LauncherHost host;
  private Process launcher;

  @BeforeEach
  void start() throws IOException {
    host = new LauncherHost(folder);
    launcher = host.supervise();
    host.awaitAlive("1.0");
  }

  @AfterEach
  void end() throws IOException {
    launcher.destroyForcibly();
    host.powerOff();
  }

  @Test
  void agentIsStartedWithItsFlagsAndCacheAndEndsWithTheLauncher() throws Exception {
    assertThat(host.starts().getFirst().withCache()).isTrue();

    launcher.destroy();

    assertThat(launcher.waitFor()).isZero();
    assertThat(host.alive()).isEmpty();
  }

  @Test
  void agentThatEndsIsStartedAgain() throws Exception {
    host.powerOff();
    host.uptime(200);

    await().untilAsserted(() -> assertThat(host.started()).containsExactly("1.0", "1.0"));
    host.awaitAlive("1.0");
  }

  @Test
  void newOneIsStartedBesideTheOldWhichMayThenEnd() throws Exception {
    host.version("2.0", "works");
    host.startTrial("2.0", "1.0");
    assertThat(host.run("begin", "2.0").exitCode()).isZero();
    host.awaitAlive("1.0", "2.0");

    assertThat(host.run("end", "1.0").exitCode()).isZero();

    host.awaitAlive("2.0");
    assertThat(host.started()).containsExactly("1.0", "2.0");
  }

  @Test
  void newOneThatCrashesThreeTimesLeavesTheOldOneAtWork() throws Exception {
    host.version("2.0", "crashes");
    host.startTrial("2.0", "1.0");

    assertThat(host.run("begin", "2.0").exitCode()).isZero();

    await().untilAsserted(() -> assertThat(host.current()).isEqualTo("1.0"));
    await().until(() -> !host.has("trial"));
    assertThat(host.started()).containsExactly("1.0", "2.0", "2.0", "2.0");
    assertThat(host.alive()).containsExactly("1.0");
    assertThat(host.text("rolled-back"))
        .isEqualTo("command=c1\nversion=2.0\nreason=it was started 3 times and did not stay\n");
  }

  @Test
  void newOneThatCrashesAloneGivesWayToTheOneBefore() throws Exception {
    host.version("2.0", "crashes");
    host.startTrial("2.0", "1.0");

    host.powerOff();

    await().untilAsserted(() -> assertThat(host.started()).containsExactly("1.0", "2.0", "2.0", "2.0", "1.0"));
    host.awaitAlive("1.0");
  }

  @Test
  void newOneThatRefusesTheConfigurationIsNotTriedAgain() throws Exception {
    host.version("2.0", "refuses");
    host.startTrial("2.0", "1.0");

    assertThat(host.run("begin", "2.0").exitCode()).isZero();

    await().untilAsserted(() -> assertThat(host.current()).isEqualTo("1.0"));
    assertThat(host.started()).containsExactly("1.0", "2.0");
    assertThat(host.text("rolled-back")).contains("refuses the configuration");
  }

  @Test
  void oneAfterTheOtherIsAnExitCodeOfTheOld() throws Exception {
    host.version("2.0", "works");
    host.startTrial("2.0", "1.0");

    // The old one has swapped the link, and ends. Which code it ends with does not matter here.
    host.powerOff();

    host.awaitAlive("2.0");
    assertThat(host.text("attempts")).contains("count=1");
  }

  @Test
  void timeOfATrialCountsOnlyWhileTheNewOneIsAlone() throws Exception {
    host.version("2.0", "works");
    host.startTrial("2.0", "1.0");
    assertThat(host.run("begin", "2.0").exitCode()).isZero();
    host.awaitAlive("1.0", "2.0");
    host.uptime(9000);
    assertThat(host.has("since")).isFalse();

    assertThat(host.run("end", "1.0").exitCode()).isZero();
    await().untilAsserted(() -> assertThat(host.text("since")).contains("uptime=9000"));
    host.uptime(12599);
    host.awaitAlive("2.0");
    host.uptime(12600);

    host.awaitAlive("1.0");
    assertThat(host.current()).isEqualTo("1.0");
    assertThat(host.text("rolled-back")).contains("reason=not committed within 3600 s");
  }

  @Test
  void committedVersionIsStartedAgainWithoutEnd() throws Exception {
    host.version("2.0", "crashes");
    host.link("previous", "1.0");
    host.link("current", "2.0");

    host.powerOff();

    for (int starts = 2; starts <= 5; starts++) {
      int expected = starts;
      // The pauses between two starts grow up to a minute.
      host.uptime(100 * starts);
      await().untilAsserted(() -> assertThat(host.started()).hasSizeGreaterThanOrEqualTo(expected));
    }
    assertThat(host.started()).startsWith("1.0", "2.0", "2.0", "2.0", "2.0");
    assertThat(host.current()).isEqualTo("2.0");
  }

  @Test
  void pruningKeepsTheOneThatRunsAndThoseOfATrial() throws Exception {
    for (String version : List.of("0.8", "0.9", "2.0")) {
      host.version(version, "works");
    }
    host.startTrial("2.0", "0.9");
    host.link("previous", "0.8");
    host.trial("2.0", "0.9");

    LauncherHost.Run run = host.run("prune", "--keep", "0");

    assertThat(run.errors()).contains("keeps 0.8", "keeps 0.9", "keeps 1.0", "keeps 2.0");
    assertThat(run.errors()).doesNotContain("removes");
  }

  @Test
  void launcherThatWasKilledIsFollowedByOneThatEndsWhatItLeft() throws Exception {
    launcher.destroyForcibly().waitFor();
    host.awaitAlive("1.0");

    launcher = host.supervise();

    await().untilAsserted(() -> assertThat(host.started()).containsExactly("1.0", "1.0"));
    host.awaitAlive("1.0");
  }

  @Test
  void secondLauncherIsRejected() throws Exception {
    LauncherHost.Run second = host.run("supervise");

    assertThat(second.exitCode()).isEqualTo(1);
    assertThat(second.errors()).contains("another one is at work here");
    assertThat(host.alive()).containsExactly("1.0");
    assertThat(Files.exists(folder.resolve("run/supervisor"))).isTrue();
  }
}
