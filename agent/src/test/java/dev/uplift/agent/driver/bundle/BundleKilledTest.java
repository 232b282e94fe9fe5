package dev.uplift.agent.driver.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.download.FaultyHttpServer;
import dev.uplift.agent.driver.PackageState;
import dev.uplift.agent.files.CrashSimulator;
import dev.uplift.agent.files.CrashSimulator.CrashPoint;
import dev.uplift.agent.files.FileOps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The process is killed before and after each file operation, and another continues. A host for each of these points;
/// one process brings all of them there and dies.
@Timeout(600)
final class BundleKilledTest {
  private static final int DONE = 0;
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  @TempDir private Path folder;

  private final FaultyHttpServer server = new FaultyHttpServer(ShopHost.archive("2.0"));
  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (Process each : processes) {
      each.destroyForcibly().waitFor();
    }
    server.close();
  }

  @Test
  void anUpgradeThatIsKilledAnywhereLeavesTheHostWorkingAndIsFinishedOrRolledBackLater() throws Exception {
    Path calm = host(folder.resolve("calm"));
    Path hosts = hosts(operations(calm, "upgrade"));
    assertUpgraded(calm);

    killAtEachPoint(hosts, "upgrade");
    each(hosts, BundleKilledTest::assertOnAWorkingVersion);
    Path others = copy(hosts);

    assertThat(run(hosts, "upgrade")).isEqualTo(DONE);
    each(hosts, BundleKilledTest::assertUpgraded);
    assertThat(run(others, "rollback")).isEqualTo(DONE);
    each(others, BundleKilledTest::assertAsBefore);
  }

  private static Path copy(Path hosts) throws IOException, InterruptedException {
    Path copy = hosts.resolveSibling("others");
    Process process = new ProcessBuilder("cp", "-a", hosts.toString(), copy.toString()).start();
    assertThat(process.waitFor()).isZero();
    return copy;
  }

  @Test
  void aRollbackThatIsKilledAnywhereLeavesTheHostWorkingAndIsFinishedLater() throws Exception {
    Path calm = host(folder.resolve("calm"));
    assertThat(BundleRunner.runStep(calm, FileOps.onDisk(), server.address(), "upgrade")).isTrue();
    Path hosts = hosts(operations(calm, "rollback"));
    assertBack(calm);
    assertThat(run(hosts, "upgrade")).isEqualTo(DONE);

    killAtEachPoint(hosts, "rollback");
    each(hosts, BundleKilledTest::assertOnAWorkingVersion);

    assertThat(run(hosts, "rollback")).isEqualTo(DONE);
    each(hosts, BundleKilledTest::assertBack);
  }

  /// A host for each point at which one may die.
  private Path hosts(int operations) throws IOException {
    assertThat(operations).isGreaterThan(10);
    Path hosts = Files.createDirectory(folder.resolve("hosts"));
    for (CrashPoint crashPoint : CrashPoint.around(operations)) {
      Path _ = host(hosts.resolve(crashPoint.name()));
    }
    return hosts;
  }

  /// As `kill -9`: no hook runs, nothing is flushed.
  private void killAtEachPoint(Path hosts, String what) throws Exception {
    each(hosts, host -> CrashPoint.of(host).write(host));
    Process process = start(hosts, what);
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> !process.isAlive() || list(hosts).stream().allMatch(CrashSimulator::hasCrashed));
    assertThat(process.isAlive()).as(() -> output(hosts)).isTrue();
    process.destroyForcibly().waitFor();
    each(hosts, CrashSimulator::clear);
  }

  private interface Check {
    void of(Path host) throws IOException;
  }

  private static void each(Path hosts, Check check) throws IOException {
    for (Path host : list(hosts)) {
      check.of(host);
    }
  }

  private static List<Path> list(Path hosts) throws IOException {
    try (Stream<Path> all = Files.list(hosts)) {
      return all.toList();
    }
  }

  /// Asserts the view of customers meanwhile: one complete version, and the shop open.
  private static void assertOnAWorkingVersion(Path folder) throws IOException {
    ShopHost host = new ShopHost(folder, FileOps.onDisk());
    assertThat(host.current()).as(folder.toString()).isIn("1.0", "2.0");
    assertThat(host.servedVersion()).as(folder.toString()).isIn("1.0", "2.0");
    assertThat(host.driver().inspect().version()).isEqualTo(host.current());
  }

  private static void assertUpgraded(Path folder) throws IOException {
    ShopHost host = new ShopHost(folder, FileOps.onDisk());
    assertThat(host.driver().inspect()).isEqualTo(new PackageState("2.0", "", false));
    assertThat(host.servedVersion()).isEqualTo("2.0");
    assertThat(host.starts()).as(folder.toString()).containsExactly("2.0");
    assertThat(host.shopFolder().resolve("versions/2.0/bin/shopd")).isExecutable();
    assertThat(Files.readSymbolicLink(host.shopFolder().resolve("previous"))).isEqualTo(Path.of("versions/1.0"));
  }

  private static void assertAsBefore(Path folder) throws IOException {
    ShopHost host = new ShopHost(folder, FileOps.onDisk());
    assertThat(host.driver().inspect()).isEqualTo(new PackageState("1.0", "", false));
    assertThat(host.servedVersion()).as(folder.toString()).isEqualTo("1.0");
  }

  private static void assertBack(Path folder) throws IOException {
    assertAsBefore(folder);
    ShopHost host = new ShopHost(folder, FileOps.onDisk());
    assertThat(host.starts()).as(folder.toString()).containsExactly("2.0", "1.0");
  }

  private Path host(Path host) throws IOException {
    Files.createDirectories(host);
    Files.write(host.resolve("archive"), ShopHost.archive("2.0"));
    new ShopHost(host, FileOps.onDisk()).install("1.0");
    return host;
  }

  /// How many it takes when nothing comes in between.
  private int operations(Path host, String what) throws IOException {
    Path changes = folder.resolve("changes");
    assertThat(BundleRunner.runStep(host, CrashSimulator.recordingTo(changes), server.address(), what)).isTrue();
    return Files.readAllLines(changes).size();
  }

  private int run(Path hosts, String what) throws IOException, InterruptedException {
    Process process = start(hosts, what);
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("ended").isTrue();
    assertThat(process.exitValue()).as(() -> output(hosts)).isEqualTo(DONE);
    return process.exitValue();
  }

  private Process start(Path hosts, String what) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                BundleRunner.class.getName(),
                hosts.toString(),
                server.address(),
                what)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log(hosts).toFile()))
            .start();
    processes.add(process);
    return process;
  }

  private static Path log(Path hosts) {
    return hosts.resolveSibling(hosts.getFileName() + ".log");
  }

  private static String output(Path hosts) {
    try {
      return Files.readString(log(hosts));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
