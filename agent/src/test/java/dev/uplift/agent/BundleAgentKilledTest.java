package dev.uplift.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.files.CrashSimulator;
import dev.uplift.agent.files.CrashSimulator.CrashPoint;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The whole agent, over a real nats-server, is killed before and after each change of the disk that it makes while it
/// brings a bundle: its answers, the download, the driver. A host for each of these points; one process plays the
/// agents of all of them, and dies when each has come there. The next one finds the hosts working, and finishes what
/// was ordered, once.
@Timeout(600)
final class BundleAgentKilledTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(4);

  /// At the same time, so that no host waits long for the machine.
  private static final int IN_WORK = 16;

  @TempDir private static Path folder;
  private static AgentTestbed testbed;

  @BeforeAll
  static void open() throws Exception {
    testbed = AgentTestbed.open();
  }

  @AfterAll
  static void close() {
    testbed.close();
  }

  @Test
  void anUpgradeIsFinishedOnceWhereverTheAgentIsKilled() throws Exception {
    try (ShopTestbed shops = new ShopTestbed(testbed)) {
      List<ShopAgent> all =
          CrashPoint.around(changesOfACalmUpgrade(shops)).stream()
              .map(crashPoint -> shops.createShop(crashPoint.name()))
              .toList();
      assertThat(all).hasSizeGreaterThan(120);

      for (ShopAgent shopAgent : all) {
        CrashPoint.of(shopAgent.folder()).write(shopAgent.folder());
      }
      killWhenAll(all, shopAgent -> CrashSimulator.hasCrashed(shopAgent.folder()));

      for (ShopAgent shopAgent : all) {
        shopAgent.assertWorking();
        CrashSimulator.clear(shopAgent.folder());
      }
      killWhenAll(all, ShopAgent::isUpgraded);
      for (ShopAgent shopAgent : all) {
        shopAgent.assertUpgradedOnce();
      }
    }
  }

  private static int changesOfACalmUpgrade(ShopTestbed shops) throws Exception {
    ShopAgent calm = shops.createShop("calm");
    Path changes = Files.createFile(calm.folder().resolve("changes"));
    killWhenAll(List.of(calm), shopAgent -> shopAgent.isUpgraded() && shopAgent.allOutcomesSent());
    calm.assertUpgradedOnce();
    return Files.readAllLines(changes).size();
  }

  /// Starts an agent on each of them, one after the other, orders the upgrade, and kills all at once.
  private static void killWhenAll(List<ShopAgent> all, Predicate<ShopAgent> isThere) throws Exception {
    Queue<ShopAgent> next = new ArrayDeque<>(all);
    List<ShopAgent> inWork = new ArrayList<>();
    Process agents = start();
    try {
      Writer configurations = agents.outputWriter(UTF_8);
      await()
          .atMost(TIMEOUT)
          .pollInterval(Duration.ofMillis(50))
          .until(() -> {
            assertThat(agents.isAlive()).as(() -> output()).isTrue();
            inWork.removeIf(isThere);
            while (inWork.size() < IN_WORK && !next.isEmpty()) {
              ShopAgent shopAgent = next.remove();
              configurations.write(shopAgent.configuration() + "\n");
              configurations.flush();
              inWork.add(shopAgent);
            }
            for (ShopAgent shopAgent : inWork) {
              shopAgent.sendNextCommand();
            }
            return inWork.isEmpty();
          });
    } finally {
      agents.destroyForcibly().waitFor();
    }
  }

  private static Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            ManyAgents.class.getName())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
        .start();
  }

  private static String output() {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
