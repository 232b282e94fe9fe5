package dev.uplift.api.rollouts;

import dev.uplift.api.json.ValueReaders;
import dev.uplift.fleet.rollout.plan.Gate;
import dev.uplift.fleet.rollout.plan.RetryPolicy;
import dev.uplift.fleet.rollout.plan.RolloutLimits;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.Thresholds;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.fleet.rollout.plan.WindowRule;
import dev.uplift.fleet.window.Window;
import dev.uplift.fleet.window.WindowFields;
import dev.uplift.services.rollout.RolloutRules;
import dev.uplift.services.rollout.RolloutSpec;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A rollout as it was understood, with everything that nobody said: what is read from it again is
/// the same.
final class RolloutSpecJson {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  private RolloutSpecJson() {}

  static ObjectNode of(RolloutSpec spec) {
    RolloutPlan plan = spec.plan();
    ObjectNode json = MAPPER.createObjectNode();
    json.put("title", spec.title());
    json.put("package", plan.release().packageName());
    json.put("version", plan.release().version());
    json.put("selection", plan.selection());
    json.put("everything", plan.everything());
    ArrayNode waves = json.putArray("waves");
    plan.waves().forEach(wave -> waves.add(wave(wave)));
    json.setAll(of(RolloutRules.of(plan)));
    json.set("window", window(plan.window()));
    ArrayNode windows = json.putArray("windows");
    plan.windows().forEach(one -> windows.add(window(one)));
    json.put("late_joiners", plan.lateJoiners());
    plan.startAt().ifPresent(start -> json.put("start_at", start.toString()));
    plan.notAfter().ifPresent(end -> json.put("not_after", end.toString()));
    json.put("priority", plan.priority());
    json.put("on_busy", ValueReaders.enumWord(plan.onBusy()));
    json.put("rollback_scope", ValueReaders.enumWord(spec.rollbackScope()));
    seconds(json, "host_soak_seconds", spec.hostSoak());
    json.put("allow_downgrade", spec.allowDowngrade());
    return json;
  }

  /// The part that may change while the rollout runs.
  static ObjectNode of(RolloutRules rules) {
    ObjectNode json = MAPPER.createObjectNode();
    json.set("limits", limits(rules.limits()));
    json.set("thresholds", thresholds(rules.thresholds()));
    json.set("retries", retries(rules.retries()));
    return json;
  }

  private static ObjectNode wave(WaveSpec wave) {
    ObjectNode json = MAPPER.createObjectNode();
    switch (wave.size()) {
      case WaveSize.Count(int devices) -> json.put("count", devices);
      case WaveSize.Percent(int percent) -> json.put("percent", percent);
      case WaveSize.Matching(String expression) -> json.put("expression", expression);
      case WaveSize.PerValue(String label) -> json.put("each_value_of", label);
      case WaveSize.Rest() -> json.put("rest", true);
    }
    wave.spreadOver().ifPresent(label -> json.put("spread_by_label", label));
    switch (wave.gate()) {
      case Gate.Automatic() -> json.put("gate", "automatic");
      case Gate.Approval() -> json.put("gate", "approval");
      case Gate.Time(var notBefore) ->
          json.put("gate", "time").put("not_before", notBefore.toString());
    }
    seconds(json, "soak_seconds", wave.soak());
    wave.maxParallel().ifPresent(most -> json.put("max_parallel", most));
    return json;
  }

  private static ObjectNode limits(RolloutLimits rolloutLimits) {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("max_parallel", rolloutLimits.maxParallel());
    json.put("max_preparing", rolloutLimits.maxPreparing());
    number(json, "per_minute", rolloutLimits.perMinute());
    ArrayNode groups = json.putArray("group_limits");
    rolloutLimits
        .perLabel()
        .forEach(
            group -> groups.addObject().put("label", group.label()).put("at_most", group.atMost()));
    return json;
  }

  private static ObjectNode thresholds(Thresholds thresholds) {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("success_percent", thresholds.successPercent());
    number(json, "failures", thresholds.failures());
    number(json, "failure_percent", thresholds.failurePercent());
    json.put("min_sample", thresholds.minSample());
    number(json, "consecutive_failures", thresholds.consecutiveFailures());
    ObjectNode byOutcome = json.putObject("by_outcome");
    // Else the usual one would be read again where there is none.
    Thresholds.DEFAULTS
        .byOutcome()
        .keySet()
        .forEach(result -> byOutcome.putNull(result.toString()));
    thresholds.byOutcome().forEach((result, most) -> byOutcome.put(result.toString(), most));
    json.put("action", ValueReaders.enumWord(thresholds.action()));
    return json;
  }

  private static ObjectNode retries(RetryPolicy retryPolicy) {
    ObjectNode json = MAPPER.createObjectNode();
    retryPolicy.limits().forEach((error, most) -> json.put(ValueReaders.enumWord(error), most));
    seconds(json, "backoff_seconds", retryPolicy.backOff());
    return json;
  }

  private static ObjectNode window(WindowRule rule) {
    ObjectNode json = MAPPER.createObjectNode();
    json.put("mode", ValueReaders.enumWord(rule.mode()));
    if (!rule.reason().isEmpty()) {
      json.put("reason", rule.reason());
    }
    json.put("on_close", ValueReaders.enumWord(rule.onClose()));
    seconds(json, "prepare_ahead_seconds", rule.prepareAhead());
    seconds(json, "required_time_seconds", rule.requiredTime());
    return json;
  }

  private static ObjectNode window(Window one) {
    ObjectNode json = MAPPER.createObjectNode();
    ArrayNode days = json.putArray("days_of_week");
    one.daysOfWeek().forEach(day -> days.add(WindowFields.format(day)));
    json.put("start_time", WindowFields.format(one.startTime()));
    json.put("timezone", WindowFields.format(one.timezone()));
    json.put("duration", WindowFields.format(one.duration()));
    ArrayNode blackouts = json.putArray("blackout_dates");
    one.blackoutDates().forEach(date -> blackouts.add(WindowFields.format(date)));
    return json;
  }

  private static void seconds(ObjectNode json, String name, Duration time) {
    json.put(name, time.toSeconds());
  }

  /// `null` where there is none, for the usual one may be one.
  private static void number(ObjectNode json, String name, Optional<Integer> number) {
    number.ifPresentOrElse(limit -> json.put(name, limit), () -> json.putNull(name));
  }
}
