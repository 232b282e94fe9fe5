package dev.uplift.cli.rollout;

import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Limits, thresholds and retries of a rollout. `none` removes a limit.
final class RolloutRuleOptions {
  static final List<String> GROUPS = List.of("limits", "thresholds", "retries");

  @Option(names = "--max-parallel", paramLabel = "DEVICES", description = "Devices in progress at once.")
  @Nullable Integer maxParallel;

  @Option(
      names = "--max-preparing",
      paramLabel = "DEVICES",
      description = "Devices that prepare ahead of their window at once.")
  @Nullable Integer maxPreparing;

  @Option(names = "--max-starts-per-minute", paramLabel = "DEVICES", description = "Starts per minute; or none.")
  @Nullable String perMinute;

  @Option(
      names = "--max-per-label",
      paramLabel = "LABEL=DEVICES",
      description = "Devices at once per value of a label, such as ha-group=1; may be repeated.")
  @Nullable Map<String, Integer> maxPerLabel;

  @Option(
      names = "--min-success-percent",
      paramLabel = "PERCENT",
      description = "Share of a wave that must succeed before the next wave; default: 95.")
  @Nullable Integer minSuccessPercent;

  @Option(
      names = "--max-failures",
      paramLabel = "DEVICES",
      description = "Number of failures that stops the rollout; or none. Default: 2.")
  @Nullable String maxFailures;

  @Option(
      names = "--max-failure-percent",
      paramLabel = "PERCENT",
      description = "Share of failures that stops the rollout; or none. Default: 5.")
  @Nullable String maxFailurePercent;

  @Option(
      names = "--min-sample",
      paramLabel = "DEVICES",
      description = "Devices that must have ended before shares count; default: 10.")
  @Nullable Integer minSample;

  @Option(
      names = "--min-successes",
      paramLabel = "DEVICES",
      description = "Devices of a wave that must have succeeded before the next one begins; default: 1.")
  @Nullable Integer minSuccesses;

  @Option(
      names = "--unhealthy-after",
      paramLabel = "SECONDS",
      description = "How long a host of an upgraded device may be silent while its wave soaks; default: 300.")
  @Nullable Integer unhealthyAfter;

  @Option(
      names = "--max-consecutive-failures",
      paramLabel = "DEVICES",
      description = "Consecutive failures that stop the rollout; or none (the default).")
  @Nullable String consecutiveFailures;

  @Option(
      names = "--max-outcome",
      paramLabel = "OUTCOME=DEVICES",
      description = "Number of devices with an outcome that stops the rollout, such as stranded=1," + " declined=none.")
  @Nullable Map<String, String> maxByOutcome;

  @Option(
      names = "--on-threshold",
      paramLabel = "ACTION",
      description = "What to do then: pause (the default), abort or roll-back-wave.")
  @Nullable String action;

  @Option(
      names = "--max-retries",
      paramLabel = "CLASS=TIMES",
      description = "Retries of a device after an error of a class, such as retryable=2.")
  @Nullable Map<String, Integer> retry;

  @Option(names = "--backoff", paramLabel = "SECONDS", description = "Pause between two attempts of a device.")
  @Nullable Long backoffSeconds;

  boolean isEmpty() {
    ObjectNode nothing = RestClient.JSON.createObjectNode();
    addTo(nothing);
    return nothing.isEmpty();
  }

  /// Returns the part of a plan that these options can change.
  static ObjectNode rulesOf(JsonNode plan) {
    ObjectNode rules = RestClient.JSON.createObjectNode();
    for (String group : GROUPS) {
      if (plan.has(group)) {
        rules.set(group, plan.path(group).deepCopy());
      }
    }
    return rules;
  }

  /// Sets the given options in `body` and leaves all else unchanged.
  void addTo(ObjectNode body) {
    RequestFields options =
        new RequestFields(body)
            .put("limits", "max_parallel", maxParallel)
            .put("limits", "max_preparing", maxPreparing)
            .put("limits", "per_minute", limit("--max-starts-per-minute", perMinute))
            .put("limits", "group_limits", maxPerLabel == null ? null : groupLimits(maxPerLabel))
            .put("thresholds", "success_percent", minSuccessPercent)
            .put("thresholds", "failures", limit("--max-failures", maxFailures))
            .put("thresholds", "failure_percent", limit("--max-failure-percent", maxFailurePercent))
            .put("thresholds", "min_sample", minSample)
            .put("thresholds", "min_successes", minSuccesses)
            .put("thresholds", "unhealthy_after_seconds", unhealthyAfter)
            .put("thresholds", "consecutive_failures", limit("--max-consecutive-failures", consecutiveFailures));
    if (maxByOutcome != null) {
      RequestFields thresholds = new RequestFields(body.withObjectProperty("thresholds"));
      new TreeMap<>(maxByOutcome)
          .forEach((outcome, number) -> thresholds.put("by_outcome", outcome, limit("--max-outcome", number)));
    }
    options.put("thresholds", "action", action);
    if (retry != null) {
      new TreeMap<>(retry).forEach((errorClass, times) -> options.put("retries", errorClass, times));
    }
    options.put("retries", "backoff_seconds", backoffSeconds);
  }

  private static List<Map<String, Object>> groupLimits(Map<String, Integer> maxPerLabel) {
    List<Map<String, Object>> limits = new ArrayList<>();
    new TreeMap<>(maxPerLabel)
        .forEach((label, limit) -> limits.add(new TreeMap<>(Map.of("label", label, "at_most", limit))));
    return limits;
  }

  /// Returns a number, or JSON's null for `none`; null if the option was not given.
  private static @Nullable JsonNode limit(String option, @Nullable String number) {
    if (number == null) {
      return null;
    }
    try {
      return number.equals("none")
          ? RestClient.JSON.getNodeFactory().nullNode()
          : RestClient.JSON.getNodeFactory().numberNode(Integer.parseInt(number));
    } catch (NumberFormatException e) {
      throw new CliException(
          CliException.USAGE, "%s: expected a number or none, found %s".formatted(option, number), e);
    }
  }
}
