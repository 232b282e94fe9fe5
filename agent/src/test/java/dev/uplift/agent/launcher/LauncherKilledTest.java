package dev.uplift.agent.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The launcher is killed before and after each change of the disk; then the host boots.
final class LauncherKilledTest {
  private static final int KILLED = 128 + 9;

  @TempDir private Path folder;

  interface InitialState {
    void of(LauncherHost host) throws IOException;
  }

  /// @param allowed versions that a boot in the middle may run
  record Scenario(String name, InitialState beginning, List<String> words, List<String> allowed) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Scenario> scenarios() {
    return List.of(
        new Scenario(
            "a trial that was started three times",
            host -> {
              host.startTrial("2.0", "1.0");
              host.attempts(3);
            },
            List.of("recover"),
            List.of("1.0")),
        new Scenario(
            "a trial whose time is over",
            host -> {
              host.startTrial("2.0", "1.0");
              Files.writeString(host.root().resolve("since"), "command=c1\nboot=boot-1\nuptime=0\n");
              host.uptime(9000);
            },
            List.of("recover"),
            // With each boot the time begins again.
            List.of("1.0", "2.0")),
        new Scenario(
            "a trial that was not begun", host -> host.trial("2.0", "1.0"), List.of("recover"), List.of("1.0")),
        new Scenario(
            "a link that leads nowhere",
            host -> host.link("current", "3.0"),
            List.of("recover"),
            List.of("1.0", "2.0")),
        new Scenario("a start on trial", host -> host.startTrial("2.0", "1.0"), List.of("run", "2.0"), List.of("2.0")),
        new Scenario(
            "a start on trial of damaged files",
            host -> {
              host.startTrial("2.0", "1.0");
              host.damage("2.0", "app/agent.jar");
            },
            List.of("run", "2.0"),
            List.of("1.0", "2.0")));
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void afterAKillAtAnyChangeTheHostBootsWithAWholeVersion(Scenario scenario) throws Exception {
    int points = 0;
    for (boolean before : List.of(true, false)) {
      boolean killed = true;
      for (int change = 1; killed; change++) {
        LauncherHost host = host(scenario, "%s-%d-%b".formatted(scenario.name, change, before));
        host.crashAt(change, before);

        killed = host.run(scenario.words.toArray(String[]::new)).exitCode() == KILLED;
        points++;

        host.restoreLauncher();
        host.reboot(2);
        LauncherHost.Run boot = host.run("recover");
        assertThat(boot.exitCode()).as(boot.errors()).isZero();
        assertThat(boot.output()).isIn(scenario.allowed);
        assertThat(host.current()).isEqualTo(boot.output());
        assertThat(host.run("recover").output()).isEqualTo(boot.output());
        assertThat(host.has("trial")).isEqualTo(boot.output().equals("2.0") && isTrial(scenario));
      }
    }
    assertThat(points).isGreaterThan(4);
  }

  private static boolean isTrial(Scenario scenario) {
    return !scenario.name.equals("a link that leads nowhere");
  }

  @Test
  void versionThatNeverStaysIsLeftHoweverOftenThePowerFailsMeanwhile() throws Exception {
    LauncherHost host = host(scenarios().get(4), "unlucky");
    for (int boot = 1; boot <= 12 && host.current().equals("2.0"); boot++) {
      host.reboot(boot);
      // Five changes count a start; each boot dies a little later than the one before.
      host.crashAt(boot, boot % 2 == 0);
      host.run("run", "2.0");
    }
    host.restoreLauncher();

    assertThat(host.run("recover").output()).isEqualTo("1.0");
    assertThat(host.started().size()).isLessThanOrEqualTo(3);
  }

  @Test
  void whatCannotBeCountedOnAFullDiskIsNotTried() throws Exception {
    LauncherHost host = host(scenarios().get(4), "full");
    host.overrideOp("return 1;");

    LauncherHost.Run run = host.run("run", "2.0");

    assertThat(run.errors()).contains("cannot be counted", "cannot swap");
    assertThat(host.started()).isEmpty();
    assertThat(host.text("orders")).isEqualTo("start --no-block uplift-agent@1.0.service\n");
  }

  private LauncherHost host(Scenario scenario, String name) throws IOException {
    Path root = Files.createDirectory(folder.resolve(name.replace(' ', '-')));
    var host = new LauncherHost(root);
    host.version("2.0", "crashes");
    host.script(root.resolve("bin/systemctl"), "#!/bin/sh\necho \"$*\" >>" + root.resolve("orders"));
    host.script(root.resolve("bin/systemd-escape"), "#!/bin/sh\necho \"$2\"");
    scenario.beginning.of(host);
    return host;
  }
}
