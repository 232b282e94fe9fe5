package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Terminal;
import dev.uplift.temporaldev.programs.PreviousBuild;
import dev.uplift.temporaldev.programs.UpliftHome;
import dev.uplift.temporaldev.rolling.RollingUpgradeOptions;
import dev.uplift.temporaldev.rolling.RollingUpgradeReport;
import dev.uplift.temporaldev.rolling.RollingUpgradeRunner;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import dev.uplift.temporaldev.stack.Stack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Servers of an earlier build and of this one on the same work, as `uplift bench rolling-upgrade` has more of it. The
/// earlier ones start again on tables that this one has migrated.
@Timeout(1800)
final class RollingUpgradeTest {
  private static final RollingUpgradeOptions OPTIONS = new RollingUpgradeOptions(40, 2, 20, 2);

  @Test
  void serversAreReplacedByNewOnesAndBackWithoutDisturbingAnUpgradeOrARollout() {
    PreviousBuild previous =
        PreviousBuild.find(UpliftHome.find())
            .orElseGet(() -> abort("the sources have no history, so there is no earlier build"));
    System.out.println("RollingUpgradeTest: from " + previous.title());
    String classPath = previous.serverClassPath(System.out::println);
    var phases = new PhaseReporter(new Screen(System.out, Terminal.PLAIN));
    try (Stack stack = Stack.temporary().cluster().open()) {
      RollingUpgradeReport report = new RollingUpgradeRunner(stack, phases, previous, classPath, OPTIONS).run();

      assertThat(report.problems()).as(String.join("\n", report.lines())).isEmpty();
      assertThat(report.replacements()).hasSize(3 * stack.servers().size());
      // Metrics end with their server; histories do not.
      assertThat(new StackContents(stack).histories())
          .hasSizeGreaterThanOrEqualTo(OPTIONS.upgrades())
          .allSatisfy(
              (name, history) -> assertThat(history).as(name).doesNotContain("EVENT_TYPE_WORKFLOW_TASK_FAILED"));
    }
  }
}
