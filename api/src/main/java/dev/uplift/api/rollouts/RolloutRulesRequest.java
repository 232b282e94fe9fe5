package dev.uplift.api.rollouts;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.RequestBody;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.plan.GroupLimit;
import dev.uplift.fleet.rollout.plan.RetryPolicy;
import dev.uplift.fleet.rollout.plan.RolloutLimits;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.ThresholdAction;
import dev.uplift.fleet.rollout.plan.Thresholds;
import dev.uplift.services.rollout.RolloutRules;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The part of a rollout that may change while it runs. An absent number is the default; `null` means no limit.
@Introspected
record RolloutRulesRequest(
    @Bindable(defaultValue = "{}") LimitsRequest limits,
    @Bindable(defaultValue = "{}") ThresholdsRequest thresholds,
    @Bindable(defaultValue = "{}") RetriesRequest retries)
    implements RequestBody {
  private static final RolloutPlan ANY_PLAN = RolloutPlan.defaults(new Release("none", "0"), "true");

  @Override
  public void check(BodyErrors errors, Instant now) {
    rules().faults(ANY_PLAN, now).forEach(one -> errors.add(one.pointer(), one.message()));
  }

  RolloutRules rules() {
    return new RolloutRules(limits.limits(), thresholds.thresholds(), retries.policy());
  }

  /// How fast a rollout goes.
  ///
  /// @param maxParallel most devices in progress, unless a wave says otherwise
  /// @param maxPreparing most devices that prepare, or have prepared, for their window
  /// @param perMinute most starts in any minute
  @Introspected
  record LimitsRequest(
      @Bindable(defaultValue = "100") @Schema(minimum = "1") int maxParallel,
      @Bindable(defaultValue = "200") @Schema(minimum = "0") int maxPreparing,
      @JsonInclude @Schema(minimum = "1", maximum = "60000") Optional<Integer> perMinute,
      @Bindable(defaultValue = "[]") @Size(max = 16) List<GroupLimitRequest> groupLimits)
      implements RequestBody {
    static LimitsRequest of(RolloutLimits limits) {
      return new LimitsRequest(
          limits.maxParallel(),
          limits.maxPreparing(),
          limits.perMinute(),
          limits.perLabel().stream().map(group -> new GroupLimitRequest(group.label(), group.atMost())).toList());
    }

    RolloutLimits limits() {
      return new RolloutLimits(
          maxParallel, maxPreparing, perMinute, groupLimits.stream().map(GroupLimitRequest::limit).toList());
    }
  }

  /// Most devices with the same value of a label that are in progress at once.
  @Introspected
  record GroupLimitRequest(@Schema(minLength = 1) String label, @Schema(minimum = "1") Integer atMost)
      implements RequestBody {
    private GroupLimit limit() {
      return new GroupLimit(label == null ? "" : label, atMost == null ? 1 : atMost);
    }
  }

  /// When a rollout stops because of failures.
  ///
  /// @param successPercent share of devices that must have succeeded when a wave ends
  /// @param minSuccesses number of devices of a wave that must have succeeded before the next one begins
  /// @param failures stops at this many
  /// @param failurePercent stops at this share
  /// @param minSample least number of devices of which a share is taken
  /// @param consecutiveFailures stops at this many without a success between them
  /// @param byOutcome stops at this many of an outcome
  /// @param unhealthyAfterSeconds how long a host of an upgraded device may be silent while its wave soaks
  @Introspected
  record ThresholdsRequest(
      @Bindable(defaultValue = "95") @Schema(minimum = "0", maximum = "100") int successPercent,
      @Bindable(defaultValue = "1") @Schema(minimum = "0") int minSuccesses,
      @Bindable(defaultValue = "2") @JsonInclude @Schema(minimum = "1") Optional<Integer> failures,
      @Bindable(defaultValue = "5") @JsonInclude @Schema(minimum = "1", maximum = "100")
          Optional<Integer> failurePercent,
      @Bindable(defaultValue = "10") @Schema(minimum = "1") int minSample,
      @JsonInclude @Schema(minimum = "1", maximum = "100") Optional<Integer> consecutiveFailures,
      @Bindable(defaultValue = "{}") Map<TargetResult, Optional<Integer>> byOutcome,
      @Bindable(defaultValue = "300") @Schema(minimum = "0", maximum = "86400") int unhealthyAfterSeconds,
      @Bindable(defaultValue = "pause") ThresholdAction action)
      implements RequestBody {
    static ThresholdsRequest of(Thresholds thresholds) {
      Map<TargetResult, Optional<Integer>> byOutcome = new LinkedHashMap<>();
      // A default that does not apply is `null`; absent, it would apply again.
      Thresholds.DEFAULTS.byOutcome().keySet().forEach(result -> byOutcome.put(result, Optional.empty()));
      thresholds.byOutcome().forEach((result, most) -> byOutcome.put(result, Optional.of(most)));
      return new ThresholdsRequest(
          thresholds.successPercent(),
          thresholds.minSuccesses(),
          thresholds.failures(),
          thresholds.failurePercent(),
          thresholds.minSample(),
          thresholds.consecutiveFailures(),
          byOutcome,
          (int) thresholds.unhealthyAfter().toSeconds(),
          thresholds.action());
    }

    Thresholds thresholds() {
      Map<TargetResult, Integer> limits = new EnumMap<>(TargetResult.class);
      limits.putAll(Thresholds.DEFAULTS.byOutcome());
      byOutcome.forEach(
          (result, most) -> most.ifPresentOrElse(limit -> limits.put(result, limit), () -> limits.remove(result)));
      return new Thresholds(
          successPercent,
          minSuccesses,
          failures,
          failurePercent,
          minSample,
          consecutiveFailures,
          limits,
          Duration.ofSeconds(unhealthyAfterSeconds),
          action);
    }
  }

  /// How often a device is tried again, by the class of its first error.
  ///
  /// @param backoffSeconds time before the first retry; doubles each time
  @Introspected
  record RetriesRequest(
      @Nullable @Schema(minimum = "0", maximum = "10") Integer retryable,
      @Nullable @JsonProperty("final") @Schema(minimum = "0", maximum = "10") Integer finalError,
      @Nullable @Schema(minimum = "0", maximum = "10") Integer declined,
      @Nullable @JsonProperty("needs-person") @Schema(minimum = "0", maximum = "10") Integer needsPerson,
      @Bindable(defaultValue = "600") @Schema(minimum = "0", maximum = "604800") int backoffSeconds)
      implements RequestBody {
    static RetriesRequest of(RetryPolicy policy) {
      Map<ErrorClass, Integer> limits = policy.limits();
      return new RetriesRequest(
          limits.get(ErrorClass.RETRYABLE),
          limits.get(ErrorClass.FINAL),
          limits.get(ErrorClass.DECLINED),
          limits.get(ErrorClass.NEEDS_PERSON),
          (int) policy.backOff().toSeconds());
    }

    RetryPolicy policy() {
      Map<ErrorClass, Integer> limits = new EnumMap<>(ErrorClass.class);
      put(limits, ErrorClass.RETRYABLE, retryable);
      put(limits, ErrorClass.FINAL, finalError);
      put(limits, ErrorClass.DECLINED, declined);
      put(limits, ErrorClass.NEEDS_PERSON, needsPerson);
      return new RetryPolicy(limits, Duration.ofSeconds(backoffSeconds));
    }

    private static void put(Map<ErrorClass, Integer> limits, ErrorClass error, @Nullable Integer most) {
      if (most != null) {
        limits.put(error, most);
      }
    }
  }
}
