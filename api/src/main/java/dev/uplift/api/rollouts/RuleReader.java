package dev.uplift.api.rollouts;

import dev.uplift.activities.rollout.RolloutRules;
import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shapes;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.rollout.GroupLimit;
import dev.uplift.fleet.rollout.Limits;
import dev.uplift.fleet.rollout.Reaction;
import dev.uplift.fleet.rollout.Retries;
import dev.uplift.fleet.rollout.Thresholds;
import dev.uplift.fleet.rollout.Verdict;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads the part of a plan that may change while the rollout runs. A number that is `null` is a
/// limit that there is not; one that is not said is the usual one.
final class RuleReader {
  /// More than there is any use for.
  private static final int MOST_GROUPS = 16;

  private RuleReader() {}

  static RolloutRules fieldsOf(Body in) {
    return new RolloutRules(
        limits(in.inside("limits")),
        thresholds(in.inside("thresholds")),
        retries(in.inside("retries")));
  }

  private static Limits limits(Body in) {
    Limits usual = Limits.USUAL;
    Field<Integer> maxParallel = in.optional("max_parallel", Shapes.WHOLE);
    Field<Integer> maxPreparing = in.optional("max_preparing", Shapes.WHOLE);
    Optional<Integer> perMinute = number(in, "per_minute", usual.perMinute());
    List<GroupLimit> groups =
        in.each("per_label", MOST_GROUPS).stream().map(RuleReader::group).toList();
    return new Limits(
        maxParallel.or(usual.maxParallel()),
        maxPreparing.or(usual.maxPreparing()),
        perMinute,
        groups);
  }

  private static GroupLimit group(Body in) {
    Field<String> label = in.required("label", Shapes.TEXT);
    Field<Integer> atMost = in.required("at_most", Shapes.WHOLE);
    return new GroupLimit(label.or(""), atMost.or(1));
  }

  private static Thresholds thresholds(Body in) {
    Thresholds usual = Thresholds.USUAL;
    Field<Integer> success = in.optional("success_percent", Shapes.WHOLE);
    Optional<Integer> failures = number(in, "failures", usual.failures());
    Optional<Integer> percent = number(in, "failure_percent", usual.failurePercent());
    Field<Integer> sample = in.optional("sample", Shapes.WHOLE);
    Optional<Integer> inARow = number(in, "in_a_row", usual.inARow());
    Map<Verdict, Integer> byOutcome = byOutcome(in.inside("by_outcome"), usual.byOutcome());
    Field<Reaction> action = in.optional("action", Shapes.word(Reaction.values()));
    return new Thresholds(
        success.or(usual.successPercent()),
        failures,
        percent,
        sample.or(usual.sample()),
        inARow,
        byOutcome,
        action.or(usual.action()));
  }

  private static Map<Verdict, Integer> byOutcome(Body in, Map<Verdict, Integer> usual) {
    Map<Verdict, Integer> limits = new EnumMap<>(Verdict.class);
    for (Verdict verdict : Verdict.values()) {
      number(in, verdict.toString(), Optional.ofNullable(usual.get(verdict)))
          .ifPresent(most -> limits.put(verdict, most));
    }
    return limits;
  }

  private static Retries retries(Body in) {
    Map<ErrorClass, Integer> limits = new EnumMap<>(ErrorClass.class);
    for (ErrorClass error : ErrorClass.values()) {
      in.optional(Shapes.word(error), Shapes.WHOLE)
          .find()
          .ifPresent(most -> limits.put(error, most));
    }
    Field<Duration> backOff = in.optional("back_off_s", Shapes.WHOLE_SECONDS);
    return new Retries(limits, backOff.or(Retries.NONE.backOff()));
  }

  private static Optional<Integer> number(Body in, String name, Optional<Integer> usual) {
    Field<Integer> field = in.removable(name, Shapes.WHOLE);
    return field.isThere() ? field.find() : usual;
  }
}
