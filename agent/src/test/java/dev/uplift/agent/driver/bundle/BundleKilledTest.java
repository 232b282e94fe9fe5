package dev.uplift.agent.driver.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.download.LyingServer;
import dev.uplift.agent.driver.Found;
import dev.uplift.agent.files.FileOps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The process dies before and after each file operation, and another goes on.
@Timeout(300)
final class BundleKilledTest {
  private static final int DONE = 0;
  private static final int KILLED = 137;

  @TempDir private Path folder;

  private final LyingServer server = new LyingServer(ShopHost.archive("2.0"));
  private final ExecutorService atOnce =
      Executors.newFixedThreadPool(Math.max(2, Runtime.getRuntime().availableProcessors()));

  @AfterEach
  void close() {
    atOnce.shutdownNow();
    server.close();
  }

  @Test
  void anUpgradeThatIsKilledAnywhereLeavesTheHostWorkingAndIsFinishedOrTakenBackLater()
      throws Exception {
    Path calm = host("calm");
    assertThat(run(calm, "upgrade")).isEqualTo(DONE);
    assertUpgraded(calm);

    everywhere(operations(calm), this::upgradeKilled);
  }

  private void upgradeKilled(String when, int nth) throws Exception {
    Path folder = host(when + "-" + nth);
    assertThat(run(folder, "upgrade", when, Integer.toString(nth))).isEqualTo(KILLED);
    assertOnAWorkingVersion(folder);
    Path other = copy(folder);

    // A process costs half a second, so half of the time it is another only in name.
    boolean done =
        when.equals("before") ? run(folder, "upgrade") == DONE : again(folder, "upgrade");
    assertThat(done).isTrue();
    assertUpgraded(folder);

    assertThat(again(other, "rollback")).isTrue();
    ShopHost host = new ShopHost(other, FileOps.onDisk());
    assertThat(host.driver().inspect()).isEqualTo(new Found("1.0", "", false));
    assertThat(host.serving()).isEqualTo("1.0");
  }

  private static Path copy(Path host) throws IOException, InterruptedException {
    Path copy = host.resolveSibling(host.getFileName() + "-other");
    Process process = new ProcessBuilder("cp", "-a", host.toString(), copy.toString()).start();
    assertThat(process.waitFor()).isZero();
    return copy;
  }

  @Test
  void aRollbackThatIsKilledAnywhereLeavesTheHostWorkingAndIsFinishedLater() throws Exception {
    Path calm = upgraded("calm");
    assertThat(run(calm, "rollback")).isEqualTo(DONE);
    assertBack(calm);

    everywhere(operations(calm), this::rollbackKilled);
  }

  private void rollbackKilled(String when, int nth) throws Exception {
    Path folder = upgraded(when + "-" + nth);
    assertThat(run(folder, "rollback", when, Integer.toString(nth))).isEqualTo(KILLED);
    assertOnAWorkingVersion(folder);

    assertThat(again(folder, "rollback")).isTrue();
    assertBack(folder);
  }

  private interface Scenario {
    void run(String when, int nth) throws Exception;
  }

  private void everywhere(int operations, Scenario scenario) throws Exception {
    assertThat(operations).isGreaterThan(10);
    List<Future<?>> all = new ArrayList<>();
    for (int i = 1; i <= operations; i++) {
      int nth = i;
      for (String when : List.of("before", "after")) {
        all.add(
            atOnce.submit(() -> {
              scenario.run(when, nth);
              return null;
            }));
      }
    }
    for (Future<?> each : all) {
      each.get();
    }
  }

  /// What people see meanwhile: one version, whole, and the shop open.
  private static void assertOnAWorkingVersion(Path folder) throws IOException {
    ShopHost host = new ShopHost(folder, FileOps.onDisk());
    assertThat(host.current()).isIn("1.0", "2.0");
    assertThat(host.serving()).isIn("1.0", "2.0");
    assertThat(host.driver().inspect().version()).isEqualTo(host.current());
  }

  private static void assertUpgraded(Path folder) throws IOException {
    ShopHost host = new ShopHost(folder, FileOps.onDisk());
    assertThat(host.driver().inspect()).isEqualTo(new Found("2.0", "", false));
    assertThat(host.serving()).isEqualTo("2.0");
    assertThat(host.starts()).as("starts").containsExactly("2.0");
    assertThat(host.shop().resolve("versions/2.0/bin/shopd")).isExecutable();
    assertThat(Files.readSymbolicLink(host.shop().resolve("previous")))
        .isEqualTo(Path.of("versions/1.0"));
  }

  private static void assertBack(Path folder) throws IOException {
    ShopHost host = new ShopHost(folder, FileOps.onDisk());
    assertThat(host.driver().inspect()).isEqualTo(new Found("1.0", "", false));
    assertThat(host.serving()).isEqualTo("1.0");
    assertThat(host.starts()).as("starts").containsExactly("2.0", "1.0");
  }

  private Path host(String name) throws IOException {
    Path host = Files.createDirectory(folder.resolve(name));
    Files.write(host.resolve("archive"), ShopHost.archive("2.0"));
    new ShopHost(host, FileOps.onDisk()).install("1.0");
    return host;
  }

  private Path upgraded(String name) throws IOException {
    Path host = host(name);
    assertThat(again(host, "upgrade")).isTrue();
    return host;
  }

  /// Another agent, of which it does not matter whether it is a process of its own.
  private boolean again(Path host, String what) throws IOException {
    return BundleRunner.act(host, FileOps.onDisk(), server.address(), what);
  }

  private static int operations(Path host) throws IOException {
    return Integer.parseInt(Files.readString(host.resolve("operations")));
  }

  private int run(Path host, String... what) throws IOException, InterruptedException {
    var line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                BundleRunner.class.getName(),
                host.toString(),
                server.address()));
    line.addAll(List.of(what));
    Path output = host.resolve("output");
    Process process =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ended in time").isTrue();
    if (process.exitValue() == 1) {
      throw new AssertionError(host + ": " + Files.readString(output));
    }
    return process.exitValue();
  }
}
