package dev.uplift.store.policy;

import dev.uplift.fleet.policy.PolicyId;

/// What a person says about a policy.
///
/// @param spec JSON
public record NewPolicy(PolicyId id, String title, String description, String packageName, int priority, String spec) {}
