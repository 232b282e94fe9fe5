package dev.uplift.agent.driver.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.ReleaseManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/// The agent, or the whole host, ends while the service is restarted.
final class BundleInterruptedTest extends BundleScenario {
  @Test
  void whatRestartStartsOutlivesTheCommandAndHasNoPipeToTheAgent() throws IOException {
    ReleaseManifest release =
        serve(
            "2.0",
            ShopHost.archive("2.0"),
            Map.of("restart", "sh -c 'echo $$ >../../pid; echo hello; sleep 1000' & cp version ../../serving"));
    prepare(release);

    assertThat(upgrade(release)).isEqualTo(DONE);

    long pid = Long.parseLong(Files.readString(host.shopFolder().resolve("pid")).strip());
    ProcessHandle service = ProcessHandle.of(pid).orElseThrow();
    try {
      assertThat(service.isAlive()).isTrue();
      assertThat(Files.readSymbolicLink(Path.of("/proc/" + pid + "/fd/1")))
          .isEqualTo(folder.toRealPath().resolve("state/service.out"));
    } finally {
      service.children().forEach(ProcessHandle::destroyForcibly);
      service.destroyForcibly();
    }
  }

  @Test
  void anAgentThatEndsWhileItWaitsReportsThatAndTheRestartContinues() throws Exception {
    ReleaseManifest release =
        serve(
            "2.0",
            ShopHost.archive("2.0"),
            Map.of(
                "restart",
                "echo 2.0 >>../../starts; while test ! -e ../../go; do sleep 0.05; done;"
                    + " cp version ../../serving"));
    prepare(release);
    var result = new AtomicReference<CommandResult>(DONE);
    Thread agent = Thread.ofPlatform().start(() -> result.set(upgrade("upgrade-1", release)));
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !host.starts().isEmpty());

    agent.interrupt();
    agent.join();
    assertThat(failure(result.get())).isEqualTo("interrupted retryable");

    Files.createFile(host.shopFolder().resolve("go"));
    assertThat(upgrade("upgrade-1", release)).isEqualTo(DONE);
    assertThat(host.starts()).containsExactly("2.0");
  }

  @Test
  void aRestartIsRepeatedAfterALossOfPowerButNotAfterTheAgentsEnd() throws Exception {
    ReleaseManifest release =
        serve(
            "2.0",
            ShopHost.archive("2.0"),
            Map.of(
                "health",
                "touch ../../asked; while test ! -e ../../healthy; do sleep 0.05; done",
                "health_timeout_seconds",
                "60",
                "health_check_timeout_seconds",
                "60"));
    prepare(release);
    interruptInHealthCheck(release);
    assertThat(host.starts()).containsExactly("2.0");
    interruptInHealthCheck(release);
    assertThat(host.starts()).containsExactly("2.0");

    host.boot("boot-2");
    Files.createFile(host.shopFolder().resolve("healthy"));

    assertThat(upgrade("upgrade-1", release)).isEqualTo(DONE);
    assertThat(host.starts()).containsExactly("2.0", "2.0");
  }

  private void interruptInHealthCheck(ReleaseManifest release) throws Exception {
    Path asked = host.shopFolder().resolve("asked");
    Files.deleteIfExists(asked);
    Thread agent = Thread.ofPlatform().start(() -> upgrade("upgrade-1", release));
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(asked));
    agent.interrupt();
    agent.join();
  }
}
