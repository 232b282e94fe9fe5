package dev.uplift.temporaldev.scenario;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.upgrade.UpgradeResponse;
import dev.uplift.cli.upgrade.UpgradeResponse.Step;
import java.util.List;
import java.util.stream.Collectors;

/// Finds steps of upgrades that were done twice, which no failure of a server may cause.
public final class RepeatedSteps {
  /// Changes nothing on the host and may be repeated.
  private static final String INSPECT = "inspect";

  /// The answer of a host that has lost the server's time, as one that was frozen, and therefore begins nothing: a
  /// later command asks for the same.
  private static final String NOT_BEGUN = "clock-unknown: ";

  private RepeatedSteps() {}

  /// Returns a problem for each step of the upgrade that more than one command was sent for, those before it aside that
  /// the host has answered without beginning; empty if there is none.
  public static List<String> problems(RestClient rest, String upgrade) {
    return problems(upgrade, UpgradeResponse.of(rest.get("upgrades/" + RestClient.pathSegment(upgrade))).steps());
  }

  /// @param steps in the order in which they were sent
  static List<String> problems(String upgrade, List<Step> steps) {
    return steps.stream()
        .filter(step -> !step.step().equals(INSPECT))
        .collect(Collectors.groupingBy(step -> step.step() + " " + step.host()))
        .entrySet()
        .stream()
        .filter(commands -> commands.getValue().stream().dropWhile(RepeatedSteps::isNotBegun).count() > 1)
        .map(commands -> describe(upgrade, commands.getKey(), commands.getValue()))
        .toList();
  }

  private static boolean isNotBegun(Step command) {
    return command.hasFailed() && command.text().startsWith(NOT_BEGUN);
  }

  private static String describe(String upgrade, String step, List<Step> commands) {
    return "%s: expected one command to %s, found %d: %s"
        .formatted(
            upgrade,
            step,
            commands.size(),
            commands.stream()
                .map(command -> (command.result() + " " + command.text()).strip())
                .collect(Collectors.joining(", ")));
  }
}
