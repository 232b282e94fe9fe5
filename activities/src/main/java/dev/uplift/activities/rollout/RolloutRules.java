package dev.uplift.activities.rollout;

import dev.uplift.fleet.rollout.Fault;
import dev.uplift.fleet.rollout.Limits;
import dev.uplift.fleet.rollout.Retries;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.Thresholds;
import java.time.Instant;
import java.util.List;

/// The part of a plan that may change while the rollout runs.
public record RolloutRules(Limits limits, Thresholds thresholds, Retries retries) {
  public static RolloutRules of(RolloutPlan plan) {
    return new RolloutRules(plan.limits(), plan.thresholds(), plan.retries());
  }

  /// What is wrong with them: pointer and detail.
  ///
  /// @param plan that they are to hold for
  public List<Fault> faults(RolloutPlan plan, Instant now) {
    return RolloutPlanner.faults(in(plan), now).stream()
        .filter(fault ->
            fault.pointer().startsWith("/limits")
                || fault.pointer().startsWith("/thresholds")
                || fault.pointer().startsWith("/retries"))
        .toList();
  }

  /// The plan under these rules.
  public RolloutPlan in(RolloutPlan plan) {
    return plan.under(limits, thresholds, retries);
  }
}
