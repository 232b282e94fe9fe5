package dev.uplift.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The systemd unit of a server on a plain machine.
final class SystemdUnitTest {
  private static final Path ANALYZE = Path.of("/usr/bin/systemd-analyze");

  @TempDir private Path folder;

  @Test
  void systemdTakesTheUnit() throws Exception {
    assumeTrue(Files.isExecutable(ANALYZE), "no systemd on this machine");
    String unit = Files.readString(Path.of("src/main/dist/uplift-server.service"));

    assertThat(verified(unit)).isEqualTo("0: ");
    assertThat(verified(unit.replace("ProtectClock=", "ProtectClocks="))).contains("ProtectClocks");
  }

  /// Returns the exit code of systemd's check of a unit, and what it says.
  private String verified(String unit) throws Exception {
    // It checks that the program exists, too.
    String text = unit.replace("/opt/uplift-server/java/bin/java", "/bin/true");
    Path file = Files.writeString(folder.resolve("uplift-server.service"), text);
    Process verify =
        new ProcessBuilder(ANALYZE.toString(), "verify", "--man=no", file.toString()).redirectErrorStream(true).start();
    String said = new String(verify.getInputStream().readAllBytes(), UTF_8);
    return verify.waitFor() + ": " + said;
  }
}
