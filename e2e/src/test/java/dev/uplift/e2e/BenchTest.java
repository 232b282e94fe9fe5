package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// `uplift bench`, as small as it gets.
final class BenchTest {
  private static final int DEVICES = 20;

  @TempDir private Path folder;

  /// Counts do not depend on the load of the machine, and times are not looked at. What servers do periodically is in
  /// the counts: with so few devices about a third.
  @Test
  void benchSaysWhatAnUpgradeCosts() throws Exception {
    Path said = folder.resolve("said");
    String devices = Integer.toString(DEVICES);
    Process bench = UpliftCommand.start(said, List.of("bench", "--json", "--devices", devices, "--warm-up", devices));
    try {
      assertThat(bench.waitFor(5, TimeUnit.MINUTES)).isTrue();
    } finally {
      bench.destroyForcibly();
    }

    String output = Files.readString(said);
    assertThat(bench.exitValue()).as(output).isZero();
    JsonNode figures = new JsonMapper().readTree(output.substring(output.indexOf("\n{") + 1));
    assertThat(figures.at("/outcomes/upgraded").asInt()).isEqualTo(DEVICES);
    assertThat(figures.at("/history_events_per_upgrade/mean").asDouble()).isBetween(20.0, 28.0);
    assertThat(operations(figures, "requests_to_temporal")).isBetween(5.0, 15.0);
    assertThat(operations(figures, "reads_and_writes_of_temporal_s_store")).isBetween(10.0, 40.0);
    assertThat(figures.at("/floor/temporal_cpu_seconds_per_workflow").asDouble()).isPositive();
    assertThat(figures.at("/cpu_to_floor").asDouble()).isPositive();
  }

  private static double operations(JsonNode figures, String name) {
    return figures.at("/operations_per_upgrade/" + name).asDouble();
  }
}
