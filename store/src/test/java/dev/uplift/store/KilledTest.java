package dev.uplift.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.DeviceId;
import dev.uplift.temporaldev.Reaper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What was acknowledged is there after a `kill -9`.
final class KilledTest extends OnBothDatabases {
  private static final int ACKNOWLEDGED = 200;

  @Test
  void ofTwoHundredAcknowledgedWritesNoneIsMissingAfterAKill() throws Exception {
    DatabaseSettings fresh = engine.fresh();
    try (Database empty = Database.open(fresh)) {
      new Tenants(empty, clock).put(WritesUntilKilled.TENANT, "");
    }

    List<String> acknowledged = acknowledgedUntilKilled(fresh);

    assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(ACKNOWLEDGED);
    try (Database reopened = Database.open(fresh)) {
      var devices = new Devices(reopened, clock);
      var commands = new Commands(reopened, clock);
      assertThat(acknowledged)
          .allMatch(name -> devices.find(new DeviceId(WritesUntilKilled.TENANT, name)).isPresent())
          .allMatch(name -> commands.find(WritesUntilKilled.key(name)).isPresent());
    }
  }

  private static List<String> acknowledgedUntilKilled(DatabaseSettings settings)
      throws IOException, InterruptedException {
    var builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Dlogback.configurationFile=logback-test.xml",
                WritesUntilKilled.class.getName(),
                settings.url(),
                settings.user(),
                settings.password())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    Process server = Reaper.ofThisJvm().start(builder, "writer");
    var acknowledged = new ArrayList<String>();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(server.getInputStream(), UTF_8))) {
      String line = lines.readLine();
      while (line != null) {
        if (line.startsWith("device-")) {
          acknowledged.add(line);
        }
        if (acknowledged.size() == ACKNOWLEDGED) {
          // By its handle, which leaves the stream open: what was said before the kill counts.
          server.toHandle().destroyForcibly();
        }
        line = lines.readLine();
      }
    } finally {
      server.destroyForcibly();
    }
    assertThat(server.waitFor()).isEqualTo(128 + 9);
    return acknowledged;
  }
}
