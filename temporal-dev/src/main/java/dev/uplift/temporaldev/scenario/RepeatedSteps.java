package dev.uplift.temporaldev.scenario;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.upgrade.UpgradeResponse;
import dev.uplift.cli.upgrade.UpgradeResponse.Step;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Finds steps of upgrades that were done twice, which no failure of a server may cause.
public final class RepeatedSteps {
  /// Changes nothing on the host and may be repeated.
  private static final String INSPECT = "inspect";

  private RepeatedSteps() {}

  /// Returns a problem for each step of the upgrade that more than one command was sent for; empty if there is none.
  public static List<String> problems(RestClient rest, String upgrade) {
    return UpgradeResponse.of(rest.get("upgrades/" + RestClient.pathSegment(upgrade))).steps().stream()
        .map(Step::step)
        .filter(step -> !step.equals(INSPECT))
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
        .entrySet()
        .stream()
        .filter(step -> step.getValue() > 1)
        .map(step -> "%s: expected one command to %s, found %d".formatted(upgrade, step.getKey(), step.getValue()))
        .toList();
  }
}
