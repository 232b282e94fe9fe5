package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Terminal;
import dev.uplift.temporaldev.chaos.ChaosOptions;
import dev.uplift.temporaldev.chaos.ChaosReport;
import dev.uplift.temporaldev.chaos.ChaosRunner;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A minute of faults, as `uplift bench chaos` has ten of them over a large fleet. `-Duplift.seed=…` chooses others.
@Timeout(900)
final class ChaosTest {
  private static final int DEVICES = 40;

  @Test
  void whateverPartOfAClusterIsKilledFrozenOrCutOffEveryDeviceIsUpgradedOnce() {
    ChaosReport report = runOn(Stack.temporary().cluster());

    assertThat(report.problems()).as(String.join("\n", report.lines())).isEmpty();
    assertThat(report.rollouts()).isPositive();
    assertThat(report.faults()).isNotEmpty();
    assertThat(report.writes().answered()).isPositive();
  }

  @Test
  void whateverSingleServerIsKilledFrozenOrCutOffEveryDeviceIsUpgradedOnce() {
    ChaosReport report = runOn(Stack.temporary());

    assertThat(report.problems()).as(String.join("\n", report.lines())).isEmpty();
    assertThat(report.rollouts()).isPositive();
    assertThat(report.faults()).isNotEmpty();
    assertThat(report.writes().answered()).isPositive();
  }

  private static ChaosReport runOn(StackBuilder builder) {
    var options = new ChaosOptions(DEVICES, Duration.ofMinutes(1), Long.getLong("uplift.seed", System.nanoTime()));
    System.out.println("ChaosTest: -Duplift.seed=" + options.seed());
    var phases = new PhaseReporter(new Screen(System.out, Terminal.PLAIN));
    try (Stack stack = builder.serverLinks().open()) {
      return new ChaosRunner(stack, phases, options).run();
    }
  }
}
