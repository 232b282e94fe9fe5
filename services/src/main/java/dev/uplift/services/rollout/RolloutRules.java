package dev.uplift.services.rollout;

import dev.uplift.fleet.rollout.plan.PlanViolation;
import dev.uplift.fleet.rollout.plan.RetryPolicy;
import dev.uplift.fleet.rollout.plan.RolloutLimits;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.Thresholds;
import java.time.Instant;
import java.util.List;

/// The part of a plan that may change while the rollout runs.
public record RolloutRules(RolloutLimits limits, Thresholds thresholds, RetryPolicy retries) {
  public static RolloutRules of(RolloutPlan plan) {
    return new RolloutRules(plan.limits(), plan.thresholds(), plan.retries());
  }

  /// The violations in these rules.
  ///
  /// @param plan that they are to hold for
  public List<PlanViolation> faults(RolloutPlan plan, Instant now) {
    return RolloutPlanner.faults(applyTo(plan), now).stream()
        .filter(planViolation ->
            planViolation.pointer().startsWith("/limits")
                || planViolation.pointer().startsWith("/thresholds")
                || planViolation.pointer().startsWith("/retries"))
        .toList();
  }

  /// The plan under these rules.
  public RolloutPlan applyTo(RolloutPlan plan) {
    return plan.withRules(limits, thresholds, retries);
  }
}
