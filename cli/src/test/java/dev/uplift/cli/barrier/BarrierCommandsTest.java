package dev.uplift.cli.barrier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.CommandScenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// `uplift barrier`: arguments in; requests, output and exit code out.
final class BarrierCommandsTest extends CommandScenario {
  @Test
  void aBarrierOfAFileThatMayHaltEverythingIsAskedAbout() throws IOException {
    Path file = folder.resolve("barrier.json");
    Files.writeString(file, "{\"package\":\"os\",\"version\":\"2.0\",\"selection\":\"true\",\"everything\":true}");

    assertThat(upliftIn("barrier", "start", "--barrier=" + file)).isEqualTo(2);

    assertThat(err.toString()).contains("The barrier may halt all devices: needs --yes,");
    assertThat(stub.requestLines()).isEmpty();
  }
}
