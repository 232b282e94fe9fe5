package dev.uplift.fleet.barrier;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.RolloutId;

/// A barrier of a tenant. Rejects names that are invalid in a workflow id.
public record BarrierId(String tenant, String name) {
  public BarrierId {
    NameRule.TENANT.requireValid(tenant);
    NameRule.BARRIER.requireValid(name);
  }

  /// Returns the device of this name in the same tenant.
  public DeviceId device(String device) {
    return new DeviceId(tenant, device);
  }

  /// The rollout that follows it.
  public RolloutId rollout() {
    return new RolloutId(tenant, "barrier-" + name);
  }

  /// The id of the upgrade that is its migration.
  public String migrationUpgrade() {
    return "barrier:" + name;
  }

  /// Returns the owner of its commands. No upgrade has such an id.
  public String commandOwner() {
    return "barrier/" + name;
  }

  /// The actor that is recorded when the barrier acts.
  public String actor() {
    return "barrier " + name;
  }

  @Override
  public String toString() {
    return tenant + "/" + name;
  }
}
