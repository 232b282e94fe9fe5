package dev.uplift.fleet;

/// A rollout of a tenant.
///
/// Refuses a name that cannot stand in a workflow id, or that leaves no room for a device beside it
/// in the id of an upgrade.
public record RolloutId(String tenant, String name) {
  public RolloutId {
    NameRule.TENANT.requireValid(tenant);
    NameRule.ROLLOUT.requireValid(name);
  }

  /// A device of the same tenant.
  public DeviceId device(String name) {
    return new DeviceId(tenant, name);
  }

  /// Who it is where it does what else a person does.
  public String operatorName() {
    return "rollout " + name;
  }

  @Override
  public String toString() {
    return tenant + "/" + name;
  }
}
