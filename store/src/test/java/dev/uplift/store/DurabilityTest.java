package dev.uplift.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.DeviceId;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.temporaldev.process.Reaper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Kills a server that runs as a process of its own.
final class DurabilityTest extends DatabaseScenario {
  private static final int ACKNOWLEDGED = 200;
  private static final Duration AT_MOST = Duration.ofMinutes(1);

  @Test
  void noAcknowledgedWriteIsMissingAfterAKill() throws Exception {
    DatabaseSettings fresh = withTenant();

    List<String> acknowledged = runUntilKilled(fresh, () -> {});

    assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(ACKNOWLEDGED);
    try (Database reopened = Database.open(fresh)) {
      var deviceRepository = reopened.repository(DeviceRepository.class);
      var commandRepository = reopened.repository(CommandRepository.class);
      assertThat(acknowledged)
          .allMatch(name -> deviceRepository.find(new DeviceId(ContinuousWriter.TENANT, name)).isPresent())
          .allMatch(name -> commandRepository.find(ContinuousWriter.key(name)).isPresent());
    }
  }

  @Test
  void aSecondServerIsRejectedOnAFileAndAcceptedOnPostgresql() throws Exception {
    DatabaseSettings fresh = withTenant();

    runUntilKilled(
        fresh,
        () -> {
          if (fresh.isShared()) {
            Database.open(fresh).close();
          } else {
            assertThatThrownBy(() -> Database.open(fresh))
                .isInstanceOf(DatabaseUnavailable.class)
                .hasMessageContaining("another process has it open");
          }
        });
  }

  private DatabaseSettings withTenant() {
    DatabaseSettings fresh = engine.newDatabase();
    try (Database empty = Database.open(fresh)) {
      empty.repository(TenantRepository.class).put(ContinuousWriter.TENANT, "");
    }
    return fresh;
  }

  /// Returns the writes that the server acknowledged until it was killed.
  private static List<String> runUntilKilled(DatabaseSettings settings, Runnable beforeTheKill)
      throws IOException, InterruptedException {
    Process server = Reaper.ofThisJvm().start(command(settings), "writer");
    // By its handle, which leaves the stream open: acknowledgements from before the kill count.
    ProcessHandle handle = server.toHandle();
    CompletableFuture.delayedExecutor(AT_MOST.toSeconds(), TimeUnit.SECONDS).execute(handle::destroyForcibly);
    var acknowledged = new ArrayList<String>();
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(server.getInputStream(), UTF_8))) {
      String line = lines.readLine();
      while (line != null) {
        if (line.startsWith("device-")) {
          acknowledged.add(line);
        }
        if (acknowledged.size() == ACKNOWLEDGED) {
          beforeTheKill.run();
          handle.destroyForcibly();
        }
        line = lines.readLine();
      }
    } finally {
      handle.destroyForcibly();
    }
    assertThat(server.waitFor()).isEqualTo(128 + 9);
    return acknowledged;
  }

  private static ProcessBuilder command(DatabaseSettings settings) {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "-Dlogback.configurationFile=logback-test.xml",
            ContinuousWriter.class.getName(),
            settings.url(),
            settings.user(),
            settings.password())
        .redirectError(ProcessBuilder.Redirect.INHERIT);
  }
}
