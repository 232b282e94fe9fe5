package dev.uplift.services.policy;

import dev.uplift.fleet.policy.ResolvedTarget;
import dev.uplift.services.policy.TargetResolver.Resolution;
import dev.uplift.store.policy.PolicyRow;
import java.time.Instant;

/// A policy that is being evaluated, and whatever counts for all of its devices.
///
/// @param competitors all enabled policies for its package, and itself
/// @param run whether a policy that begins in runs may begin now
/// @param now the time of the evaluation
record EvaluatedPolicy(
    PolicyRow row, PolicySpec spec, ResolvedTarget target, CompetingPolicies competitors, boolean run, Instant now) {
  static EvaluatedPolicy of(
      PolicyRow row, Resolution.Found found, CompetingPolicies competitors, boolean run, Instant now) {
    return new EvaluatedPolicy(row, PolicyJson.read(row.spec()), found.target(), competitors, run, now);
  }
}
