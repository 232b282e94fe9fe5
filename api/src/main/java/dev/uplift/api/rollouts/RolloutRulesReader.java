package dev.uplift.api.rollouts;

import dev.uplift.api.json.JsonBody;
import dev.uplift.api.json.JsonField;
import dev.uplift.api.json.ValueReaders;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.plan.GroupLimit;
import dev.uplift.fleet.rollout.plan.RetryPolicy;
import dev.uplift.fleet.rollout.plan.RolloutLimits;
import dev.uplift.fleet.rollout.plan.ThresholdAction;
import dev.uplift.fleet.rollout.plan.Thresholds;
import dev.uplift.services.rollout.RolloutRules;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads the part of a plan that may change while the rollout runs. A number that is `null` is a
/// limit that there is not; one that is not said is the usual one.
final class RolloutRulesReader {
  /// More than there is any use for.
  private static final int MAX_GROUPS = 16;

  private RolloutRulesReader() {}

  static RolloutRules read(JsonBody in) {
    return new RolloutRules(
        limits(in.objectField("limits")),
        thresholds(in.objectField("thresholds")),
        retries(in.objectField("retries")));
  }

  private static RolloutLimits limits(JsonBody in) {
    RolloutLimits usual = RolloutLimits.DEFAULTS;
    JsonField<Integer> maxParallel = in.optional("max_parallel", ValueReaders.INTEGER);
    JsonField<Integer> maxPreparing = in.optional("max_preparing", ValueReaders.INTEGER);
    Optional<Integer> perMinute = number(in, "per_minute", usual.perMinute());
    List<GroupLimit> groups =
        in.objectList("group_limits", MAX_GROUPS).stream().map(RolloutRulesReader::group).toList();
    return new RolloutLimits(
        maxParallel.orElse(usual.maxParallel()),
        maxPreparing.orElse(usual.maxPreparing()),
        perMinute,
        groups);
  }

  private static GroupLimit group(JsonBody in) {
    JsonField<String> label = in.required("label", ValueReaders.TEXT);
    JsonField<Integer> atMost = in.required("at_most", ValueReaders.INTEGER);
    return new GroupLimit(label.orElse(""), atMost.orElse(1));
  }

  private static Thresholds thresholds(JsonBody in) {
    Thresholds usual = Thresholds.DEFAULTS;
    JsonField<Integer> success = in.optional("success_percent", ValueReaders.INTEGER);
    Optional<Integer> failures = number(in, "failures", usual.failures());
    Optional<Integer> percent = number(in, "failure_percent", usual.failurePercent());
    JsonField<Integer> sample = in.optional("min_sample", ValueReaders.INTEGER);
    Optional<Integer> inARow = number(in, "consecutive_failures", usual.consecutiveFailures());
    Map<TargetResult, Integer> byOutcome =
        byOutcome(in.objectField("by_outcome"), usual.byOutcome());
    JsonField<ThresholdAction> action =
        in.optional("action", ValueReaders.enumWord(ThresholdAction.values()));
    return new Thresholds(
        success.orElse(usual.successPercent()),
        failures,
        percent,
        sample.orElse(usual.minSample()),
        inARow,
        byOutcome,
        action.orElse(usual.action()));
  }

  private static Map<TargetResult, Integer> byOutcome(
      JsonBody in, Map<TargetResult, Integer> usual) {
    Map<TargetResult, Integer> limits = new EnumMap<>(TargetResult.class);
    for (TargetResult result : TargetResult.values()) {
      number(in, result.toString(), Optional.ofNullable(usual.get(result)))
          .ifPresent(most -> limits.put(result, most));
    }
    return limits;
  }

  private static RetryPolicy retries(JsonBody in) {
    Map<ErrorClass, Integer> limits = new EnumMap<>(ErrorClass.class);
    for (ErrorClass error : ErrorClass.values()) {
      in.optional(ValueReaders.enumWord(error), ValueReaders.INTEGER)
          .asOptional()
          .ifPresent(most -> limits.put(error, most));
    }
    JsonField<Duration> backOff = in.optional("backoff_seconds", ValueReaders.INTEGER_SECONDS);
    return new RetryPolicy(limits, backOff.orElse(RetryPolicy.NONE.backOff()));
  }

  private static Optional<Integer> number(JsonBody in, String name, Optional<Integer> usual) {
    JsonField<Integer> jsonField = in.nullable(name, ValueReaders.INTEGER);
    return jsonField.isPresent() ? jsonField.asOptional() : usual;
  }
}
