package dev.uplift.fleet.policy;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.RolloutId;

/// A policy of a tenant. Rejects names that are invalid in a workflow id.
public record PolicyId(String tenant, String name) {
  public PolicyId {
    NameRule.TENANT.requireValid(tenant);
    NameRule.POLICY.requireValid(name);
  }

  /// Returns the device of this name in the same tenant.
  public DeviceId device(String name) {
    return new DeviceId(tenant, name);
  }

  /// Returns the rollout of this name in the same tenant.
  public RolloutId rollout(String name) {
    return new RolloutId(tenant, name);
  }

  /// The actor that is recorded when the policy acts.
  public String actor() {
    return "policy " + name;
  }

  @Override
  public String toString() {
    return tenant + "/" + name;
  }
}
