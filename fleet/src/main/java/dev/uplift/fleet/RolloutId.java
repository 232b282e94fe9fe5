package dev.uplift.fleet;

/// A rollout of a tenant.
///
/// Rejects names that are invalid in a workflow id, or too long for the id of an upgrade, which also names a device.
public record RolloutId(String tenant, String name) {
  public RolloutId {
    NameRule.TENANT.requireValid(tenant);
    NameRule.ROLLOUT.requireValid(name);
  }

  /// Returns the device of this name in the same tenant.
  public DeviceId device(String name) {
    return new DeviceId(tenant, name);
  }

  /// The actor that is recorded when the rollout acts.
  public String operatorName() {
    return "rollout " + name;
  }

  @Override
  public String toString() {
    return tenant + "/" + name;
  }
}
