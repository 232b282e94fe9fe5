package dev.uplift.agent.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The decisions of the launcher from the files in its folder, and its messages for systemd and for people.
final class LauncherBootTest {
  private static final Path UNITS = LauncherHost.LAUNCHER.resolveSibling("systemd");

  @TempDir private Path folder;
  private LauncherHost host;

  @BeforeEach
  void install() throws IOException {
    host = new LauncherHost(folder);
    host.version("2.0", "crashes");
    host.script(folder.resolve("bin/systemctl"), "#!/bin/sh\necho \"$*\" >>" + folder.resolve("orders"));
    host.script(folder.resolve("bin/systemd-escape"), "#!/bin/sh\necho \"$2\"");
  }

  @AfterEach
  void end() throws IOException {
    host.powerOff();
  }

  @Test
  void trialThatWasNotBegunIsDropped() throws Exception {
    host.trial("2.0", "1.0");

    assertThat(host.run("recover").output()).isEqualTo("1.0");
    assertThat(host.has("trial")).isFalse();
  }

  @Test
  void trialContinuesAfterABoot() throws Exception {
    host.startTrial("2.0", "1.0");
    host.attempts(2);

    assertThat(host.run("recover").output()).isEqualTo("2.0");
    assertThat(host.has("trial")).isTrue();
  }

  @Test
  void trialWithThreeStartsIsOver() throws Exception {
    host.startTrial("2.0", "1.0");
    host.attempts(3);

    assertThat(host.run("recover").output()).isEqualTo("1.0");
    assertThat(host.has("trial")).isFalse();
  }

  @Test
  void startsOfAnEarlierTrialDoNotCount() throws Exception {
    host.startTrial("2.0", "1.0");
    Files.writeString(folder.resolve("attempts"), "command=c0\ncount=3\n");

    assertThat(host.run("recover").output()).isEqualTo("2.0");
  }

  @Test
  void timeOfATrialDoesNotCountOverABoot() throws Exception {
    host.startTrial("2.0", "1.0");
    Files.writeString(folder.resolve("since"), "command=c1\nboot=boot-1\nuptime=100\n");
    host.uptime(9000);
    host.reboot(2);
    assertThat(host.run("recover").output()).isEqualTo("2.0");

    host.reboot(1);
    assertThat(host.run("recover").output()).isEqualTo("1.0");
  }

  @Test
  void currentThatLeadsNowhereIsReplacedByThePreviousThenByTheNewestThatIsWhole() throws Exception {
    host.link("current", "3.0");
    host.link("previous", "2.0");
    LauncherHost.Run run = host.run("recover");
    assertThat(run.output()).isEqualTo("2.0");
    assertThat(run.errors()).contains("current leads to 3.0, which is not whole: takes 2.0");

    Files.delete(folder.resolve("current"));
    Files.delete(folder.resolve("previous"));
    Files.delete(folder.resolve("versions/2.0/COMPLETE"));
    assertThat(host.run("recover").output()).isEqualTo("1.0");
    assertThat(host.current()).isEqualTo("1.0");
  }

  @Test
  void versionThatWasLeftIsTheLastToBeTaken() throws Exception {
    host.link("current", "3.0");
    Files.deleteIfExists(folder.resolve("previous"));
    Files.writeString(folder.resolve("rolled-back"), "command=c1\nversion=2.0\nreason=crashed\n");
    assertThat(host.run("recover").output()).isEqualTo("1.0");

    host.link("current", "3.0");
    Files.delete(folder.resolve("versions/1.0/COMPLETE"));
    assertThat(host.run("recover").output()).isEqualTo("2.0");
  }

  @Test
  void hostWithoutAWholeVersionSaysSo() throws Exception {
    Files.delete(folder.resolve("versions/1.0/COMPLETE"));
    Files.delete(folder.resolve("versions/2.0/COMPLETE"));

    LauncherHost.Run run = host.run("recover");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.errors()).contains("there is no whole version");
  }

  @Test
  void damagedFileOfAVersionOnTrialEndsTheTrial() throws Exception {
    host.startTrial("2.0", "1.0");
    host.damage("2.0", "app/agent.jar");

    assertThat(host.run("run", "2.0").exitCode()).isZero();

    assertThat(host.text("orders")).isEqualTo("start --no-block uplift-agent@1.0.service\n");
    assertThat(host.text("rolled-back")).contains("its files are damaged");
  }

  @Test
  void damagedCacheIsNotUsedAndNothingElseHappens() throws Exception {
    host.startTrial("2.0", "1.0");
    host.damage("2.0", "agent.aot");

    LauncherHost.Run run = host.run("run", "2.0");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.errors()).contains("2.0: its cache is damaged, starts without it");
    assertThat(host.starts()).singleElement().extracting(start -> start.withCache()).isEqualTo(false);
    assertThat(host.current()).isEqualTo("2.0");
  }

  @Test
  void cacheThatTheLastStartDidNotSurviveIsNotUsedAgain() throws Exception {
    host.link("current", "2.0");
    assertThat(host.run("run", "2.0").exitCode()).isEqualTo(1);
    assertThat(host.run("run", "2.0").errors()).contains("came to nothing");

    assertThat(host.starts().stream().map(start -> start.withCache())).containsExactly(true, false);
  }

  @Test
  void systemdStartsTheUnitOfTheVersionAndAnotherOneEndsAtOnce() throws Exception {
    assertThat(host.run("boot").exitCode()).isZero();
    assertThat(host.run("run", "2.0").exitCode()).isZero();

    assertThat(host.text("orders").lines())
        .containsExactly("start --no-block uplift-agent@1.0.service", "start --no-block uplift-agent@1.0.service");
    assertThat(host.started()).isEmpty();
  }

  @Test
  void threeStartsUnderSystemdLeadBackToTheOneBefore() throws Exception {
    host.startTrial("2.0", "1.0");

    for (int start = 1; start <= 3; start++) {
      assertThat(host.run("run", "2.0").exitCode()).isEqualTo(1);
    }
    assertThat(host.run("run", "2.0").exitCode()).isZero();

    assertThat(host.started()).containsExactly("2.0", "2.0", "2.0");
    assertThat(host.text("orders")).isEqualTo("start --no-block uplift-agent@1.0.service\n");
    assertThat(host.current()).isEqualTo("1.0");
  }

  @Test
  void ordersGoToSystemdWhereNoLauncherStays() throws Exception {
    assertThat(host.run("begin", "2.0").exitCode()).isZero();
    assertThat(host.run("end", "2.0").exitCode()).isZero();

    assertThat(host.text("orders").lines())
        .containsExactly("start --no-block uplift-agent@2.0.service", "stop --no-block uplift-agent@2.0.service");
  }

  @Test
  void pruningKeepsWhatIsNeededAndDoesNothingThatItOnlySays() throws Exception {
    for (String version : List.of("0.7", "0.8", "0.9")) {
      host.version(version, "works");
    }
    host.link("previous", "0.7");

    String would = host.run("prune", "--keep", "0", "--dry-run").errors();
    assertThat(would).contains("would remove 0.8", "would remove 0.9", "would remove 2.0");
    assertThat(versions()).hasSize(5);
    assertThat(host.run("prune", "--keep", "0", "--older-than", "3").exitCode()).isZero();
    assertThat(versions()).hasSize(5);

    assertThat(host.run("prune", "--keep", "0").exitCode()).isZero();
    assertThat(versions()).containsExactlyInAnyOrder("0.7", "1.0");
    assertThat(host.run("prune", "--keep").exitCode()).isEqualTo(2);
    assertThat(host.run("prune", "--all").exitCode()).isEqualTo(2);
  }

  @Test
  void linkToItInThePathWorksInItsOwnFolder() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("bin/uplift-agent"), Path.of("../launcher"));

    assertThat(host.runAs(link, "recover").output()).isEqualTo("1.0");
  }

  @Test
  void wordThatItDoesNotKnowIsAnsweredWithThoseItKnows() throws Exception {
    LauncherHost.Run run = host.run("restart");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errors()).contains("expected join", "supervise | boot", "prune [--keep N]");
  }

  @Test
  void shellcheckFindsNothing() throws Exception {
    assumeTrue(isThere("shellcheck"), "no shellcheck on this machine");

    for (String script : List.of("launcher", "operator-commands", "make", "measure")) {
      Path file = LauncherHost.LAUNCHER.resolveSibling(script);
      Process check =
          new ProcessBuilder("shellcheck", "-s", "sh", "-x", "-P", "SCRIPTDIR", file.toString()).inheritIO().start();
      assertThat(check.waitFor()).as(script).isZero();
    }
    assertThat(Files.size(LauncherHost.LAUNCHER)).isLessThan(16 * 1024);
  }

  @Test
  void systemdTakesTheUnits() throws Exception {
    assumeTrue(isThere("systemd-analyze"), "no systemd on this machine");
    Path units = Files.createDirectory(folder.resolve("units"));
    var line = new java.util.ArrayList<>(List.of("systemd-analyze", "verify", "--man=no"));
    try (Stream<Path> all = Files.list(UNITS)) {
      for (Path unit : all.toList()) {
        String name = unit.getFileName().toString().replace("@.", "@1.0.");
        // Checks that the program exists, too.
        String text = Files.readString(unit).replace("/opt/uplift-agent/launcher", "/bin/true");
        line.add(Files.writeString(units.resolve(name), text).toString());
      }
    }
    Process verify = new ProcessBuilder(line).redirectErrorStream(true).start();

    String said = new String(verify.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);

    assertThat(verify.waitFor()).as(said).isZero();
    assertThat(said).isEmpty();
  }

  private static boolean isThere(String program) {
    return Files.isExecutable(Path.of("/usr/bin", program));
  }

  private List<String> versions() throws IOException {
    try (Stream<Path> all = Files.list(folder.resolve("versions"))) {
      return all.map(path -> path.getFileName().toString()).toList();
    }
  }
}
