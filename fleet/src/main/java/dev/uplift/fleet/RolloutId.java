package dev.uplift.fleet;

/// A rollout of a tenant.
///
/// Refuses a name that cannot stand in a workflow id, or that leaves no room for a device beside it
/// in the id of an upgrade.
public record RolloutId(String tenant, String name) {
  public RolloutId {
    Names.TENANT.check(tenant);
    Names.ROLLOUT.check(name);
  }

  @Override
  public String toString() {
    return tenant + "/" + name;
  }
}
