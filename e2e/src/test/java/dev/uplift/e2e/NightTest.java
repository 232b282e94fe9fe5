package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Terminal;
import dev.uplift.temporaldev.night.NightOptions;
import dev.uplift.temporaldev.night.NightReport;
import dev.uplift.temporaldev.night.NightRunner;
import dev.uplift.temporaldev.scenario.ExternalDatabase;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.PostgresServer;
import dev.uplift.testservers.TestServers;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// One night of a small fleet on two servers, as `uplift bench night` runs it with a large one. `-Duplift.seed=…`
/// chooses another one.
@Timeout(900)
final class NightTest {
  private static final int DEVICES = 80;
  private static final int SCALE = 15;

  @Test
  void inTheMorningEveryDeviceIsAsExpected() {
    var options = new NightOptions(DEVICES, Long.getLong("uplift.seed", 1), SCALE, Duration.ofMinutes(2), false);
    try (Stack stack = TestServers.stack().open();
        PostgresServer database = TestServers.postgres(stack.host("night", "database").servicePort("postgresql"))) {
      var shared = new ExternalDatabase(database.url("postgres"), database.user(), Optional.empty());
      var phases = new PhaseReporter(new Screen(System.out, Terminal.PLAIN));

      NightReport report = new NightRunner(stack, phases, options, Optional.of(shared)).run();

      assertThat(report.problems()).as(String.join("\n", report.lines())).isEmpty();
      assertThat(report.found()).hasSize(DEVICES);
    }
  }
}
