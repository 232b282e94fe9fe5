package dev.uplift.services.policy;

import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.store.policy.PolicyEvaluationRepository;
import dev.uplift.store.policy.PolicyRepository;
import dev.uplift.store.policy.PolicyRollouts;
import dev.uplift.store.release.ReleaseChannelRepository;
import jakarta.inject.Singleton;

/// The tables that policies work with.
///
/// @param ofPolicies the rollouts that policies started
/// @param rollouts those of rollouts, devices and releases
@Singleton
public record PolicyRepositories(
    PolicyRepository policies,
    PolicyEvaluationRepository evaluations,
    PolicyRollouts ofPolicies,
    ReleaseChannelRepository channels,
    RolloutRepositories rollouts) {}
