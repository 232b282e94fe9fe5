package dev.uplift.cli.rollout;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// How many at once, what stops a rollout, and what is tried again. A number may be `none`.
final class RolloutRuleOptions {
  @Option(names = "--max-parallel", paramLabel = "DEVICES", description = "At once in work.")
  @Nullable Integer maxParallel;

  @Option(names = "--max-preparing", paramLabel = "DEVICES", description = "Ahead of a window.")
  @Nullable Integer maxPreparing;

  @Option(names = "--per-minute", paramLabel = "DEVICES", description = "Starts; or none.")
  @Nullable String perMinute;

  @Option(
      names = "--at-most",
      paramLabel = "LABEL=DEVICES",
      description = "Of each value of a label so many at once, such as ha-group=1; repeatable.")
  @Nullable Map<String, Integer> maxPerLabel;

  @Option(
      names = "--success-percent",
      paramLabel = "PERCENT",
      description = "Of a wave, to go on to the next; default: 95.")
  @Nullable Integer minSuccessPercent;

  @Option(
      names = "--failures",
      paramLabel = "DEVICES",
      description = "Stops at so many failures; or none. Default: 2.")
  @Nullable String maxFailures;

  @Option(
      names = "--failure-percent",
      paramLabel = "PERCENT",
      description = "Stops at this share of failures; or none. Default: 5.")
  @Nullable String maxFailurePercent;

  @Option(
      names = "--sample",
      paramLabel = "DEVICES",
      description = "So many have to have ended before shares count; default: 10.")
  @Nullable Integer minSample;

  @Option(
      names = "--in-a-row",
      paramLabel = "DEVICES",
      description = "Stops at so many failures in a row; or none, the default.")
  @Nullable String consecutiveFailures;

  @Option(
      names = "--stop-at",
      paramLabel = "OUTCOME=DEVICES",
      description = "Stops at so many with this outcome, such as stranded=1, declined=none.")
  @Nullable Map<String, String> maxByOutcome;

  @Option(
      names = "--then",
      paramLabel = "ACTION",
      description = "What stopping is: pause, the default, abort or roll-back-wave.")
  @Nullable String action;

  @Option(
      names = "--retry",
      paramLabel = "CLASS=TIMES",
      description = "How often a device is tried again after an error of a class: retryable=2.")
  @Nullable Map<String, Integer> retry;

  @Option(
      names = "--back-off",
      paramLabel = "SECONDS",
      description = "Between two tries of a device.")
  @Nullable Long backoffSeconds;

  boolean isEmpty() {
    ObjectNode nothing = RestClient.JSON.createObjectNode();
    addTo(nothing);
    return nothing.isEmpty();
  }

  /// The part of a plan that these may change.
  static ObjectNode rulesOf(JsonNode plan) {
    ObjectNode rules = RestClient.JSON.createObjectNode();
    for (String group : new String[] {"limits", "thresholds", "retries"}) {
      if (plan.has(group)) {
        rules.set(group, plan.path(group).deepCopy());
      }
    }
    return rules;
  }

  /// What was said here stands in `body` then, and all else there is as it was.
  void addTo(ObjectNode body) {
    addLimits(body);
    addThresholds(body);
    if (retry != null) {
      ObjectNode retries = body.withObjectProperty("retries");
      new TreeMap<>(retry).forEach(retries::put);
    }
    if (backoffSeconds != null) {
      body.withObjectProperty("retries").put("back_off_s", backoffSeconds);
    }
  }

  private void addLimits(ObjectNode body) {
    put(body, "limits", "max_parallel", maxParallel);
    put(body, "limits", "max_preparing", maxPreparing);
    putLimit(body, "limits", "per_minute", "--per-minute", perMinute);
    if (maxPerLabel != null) {
      var groups = body.withObjectProperty("limits").putArray("per_label");
      new TreeMap<>(maxPerLabel)
          .forEach((label, most) -> groups.addObject().put("label", label).put("at_most", most));
    }
  }

  private void addThresholds(ObjectNode body) {
    String in = "thresholds";
    put(body, in, "success_percent", minSuccessPercent);
    putLimit(body, in, "failures", "--failures", maxFailures);
    putLimit(body, in, "failure_percent", "--failure-percent", maxFailurePercent);
    put(body, in, "sample", minSample);
    putLimit(body, in, "in_a_row", "--in-a-row", consecutiveFailures);
    if (maxByOutcome != null) {
      ObjectNode outcomes = body.withObjectProperty(in).withObjectProperty("by_outcome");
      new TreeMap<>(maxByOutcome)
          .forEach((outcome, most) -> putNumberOrNone(outcomes, outcome, "--stop-at", most));
    }
    if (action != null) {
      body.withObjectProperty(in).put("action", action);
    }
  }

  private static void put(ObjectNode body, String in, String field, @Nullable Integer number) {
    if (number != null) {
      body.withObjectProperty(in).put(field, number);
    }
  }

  private static void putLimit(
      ObjectNode body, String in, String field, String option, @Nullable String number) {
    if (number != null) {
      putNumberOrNone(body.withObjectProperty(in), field, option, number);
    }
  }

  private static void putNumberOrNone(ObjectNode in, String field, String option, String number) {
    if (number.equals("none")) {
      in.putNull(field);
      return;
    }
    try {
      in.put(field, Integer.parseInt(number));
    } catch (NumberFormatException e) {
      throw new CliException(
          CliException.USAGE,
          "%s: expected a number or none, found %s".formatted(option, number),
          e);
    }
  }
}
