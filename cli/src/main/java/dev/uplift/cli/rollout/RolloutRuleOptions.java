package dev.uplift.cli.rollout;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Limits, thresholds and retries of a rollout. `none` removes a limit.
final class RolloutRuleOptions {
  @Option(
      names = "--max-parallel",
      paramLabel = "DEVICES",
      description = "Devices in progress at once.")
  @Nullable Integer maxParallel;

  @Option(
      names = "--max-preparing",
      paramLabel = "DEVICES",
      description = "Devices that prepare ahead of their window at once.")
  @Nullable Integer maxPreparing;

  @Option(
      names = "--max-starts-per-minute",
      paramLabel = "DEVICES",
      description = "Starts per minute; or none.")
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
      names = "--max-consecutive-failures",
      paramLabel = "DEVICES",
      description = "Consecutive failures that stop the rollout; or none (the default).")
  @Nullable String consecutiveFailures;

  @Option(
      names = "--max-outcome",
      paramLabel = "OUTCOME=DEVICES",
      description =
          "Number of devices with an outcome that stops the rollout, such as stranded=1,"
              + " declined=none.")
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

  @Option(
      names = "--backoff",
      paramLabel = "SECONDS",
      description = "Pause between two attempts of a device.")
  @Nullable Long backoffSeconds;

  boolean isEmpty() {
    ObjectNode nothing = RestClient.JSON.createObjectNode();
    addTo(nothing);
    return nothing.isEmpty();
  }

  /// Returns the part of a plan that these options can change.
  static ObjectNode rulesOf(JsonNode plan) {
    ObjectNode rules = RestClient.JSON.createObjectNode();
    for (String group : new String[] {"limits", "thresholds", "retries"}) {
      if (plan.has(group)) {
        rules.set(group, plan.path(group).deepCopy());
      }
    }
    return rules;
  }

  /// Sets the given options in `body` and leaves all else unchanged.
  void addTo(ObjectNode body) {
    addLimits(body);
    addThresholds(body);
    if (retry != null) {
      ObjectNode retries = body.withObjectProperty("retries");
      new TreeMap<>(retry).forEach(retries::put);
    }
    if (backoffSeconds != null) {
      body.withObjectProperty("retries").put("backoff_seconds", backoffSeconds);
    }
  }

  private void addLimits(ObjectNode body) {
    put(body, "limits", "max_parallel", maxParallel);
    put(body, "limits", "max_preparing", maxPreparing);
    putLimit(body, "limits", "per_minute", "--max-starts-per-minute", perMinute);
    if (maxPerLabel != null) {
      var groups = body.withObjectProperty("limits").putArray("group_limits");
      new TreeMap<>(maxPerLabel)
          .forEach((label, limit) -> groups.addObject().put("label", label).put("at_most", limit));
    }
  }

  private void addThresholds(ObjectNode body) {
    String group = "thresholds";
    put(body, group, "success_percent", minSuccessPercent);
    putLimit(body, group, "failures", "--max-failures", maxFailures);
    putLimit(body, group, "failure_percent", "--max-failure-percent", maxFailurePercent);
    put(body, group, "min_sample", minSample);
    putLimit(
        body, group, "consecutive_failures", "--max-consecutive-failures", consecutiveFailures);
    if (maxByOutcome != null) {
      ObjectNode outcomes = body.withObjectProperty(group).withObjectProperty("by_outcome");
      new TreeMap<>(maxByOutcome)
          .forEach((outcome, limit) -> putNumberOrNone(outcomes, outcome, "--max-outcome", limit));
    }
    if (action != null) {
      body.withObjectProperty(group).put("action", action);
    }
  }

  private static void put(ObjectNode body, String group, String field, @Nullable Integer number) {
    if (number != null) {
      body.withObjectProperty(group).put(field, number);
    }
  }

  private static void putLimit(
      ObjectNode body, String group, String field, String option, @Nullable String number) {
    if (number != null) {
      putNumberOrNone(body.withObjectProperty(group), field, option, number);
    }
  }

  private static void putNumberOrNone(
      ObjectNode target, String field, String option, String number) {
    if (number.equals("none")) {
      target.putNull(field);
      return;
    }
    try {
      target.put(field, Integer.parseInt(number));
    } catch (NumberFormatException e) {
      throw new CliException(
          CliException.USAGE,
          "%s: expected a number or none, found %s".formatted(option, number),
          e);
    }
  }
}
