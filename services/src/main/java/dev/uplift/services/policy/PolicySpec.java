package dev.uplift.services.policy;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.policy.PolicyRepeat;
import dev.uplift.fleet.policy.PolicyStart;
import dev.uplift.fleet.policy.PolicyTarget;
import dev.uplift.fleet.policy.UnknownVersion;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.services.rollout.RolloutSpec;
import java.util.Optional;

/// What a policy asks for, of which devices, and how its rollouts are done.
///
/// @param selection expression that is true of the devices that it applies to
/// @param everything whether it is confirmed that this may be all devices of the tenant
/// @param fallback whether it applies only to devices that no other policy for its package applies to
/// @param repeat when it begins with devices that are due
/// @param rollout how each of its rollouts is done; its release, selection and priority are those of the policy
public record PolicySpec(
    PolicyTarget target,
    String selection,
    boolean everything,
    boolean fallback,
    PolicyStart start,
    PolicyRepeat repeat,
    UnknownVersion unknownVersion,
    RolloutSpec rollout) {

  /// Returns the times at which it runs, if it begins in runs.
  public Optional<PolicyRepeat.Cron> cron() {
    return repeat instanceof PolicyRepeat.Cron cron ? Optional.of(cron) : Optional.empty();
  }

  /// Returns how a rollout of a release is done because of the policy. Which devices it takes, the policy says; so the
  /// rollout takes none by itself.
  public RolloutSpec rolloutOf(String policy, Release release, int priority) {
    RolloutPlan plan = rollout.plan();
    return new RolloutSpec(
        "policy %s: %s".formatted(policy, release),
        new RolloutPlan(
            release,
            selection,
            true,
            plan.waves(),
            plan.limits(),
            plan.thresholds(),
            plan.retries(),
            plan.window(),
            false,
            Optional.empty(),
            Optional.empty(),
            priority,
            plan.onBusy(),
            plan.windows()),
        rollout.rollbackScope(),
        rollout.hostSoak(),
        rollout.allowDowngrade(),
        rollout.stepTimeouts());
  }
}
