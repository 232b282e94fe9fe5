package dev.uplift.api.tenants;

import dev.uplift.store.tenant.TenantContents;
import io.micronaut.serde.annotation.Serdeable;

/// How much belongs to a tenant, and is removed when it is deleted.
@Serdeable
record TenantContentsView(String tenant, long devices, long hosts, long releases, long upgrades, long rollouts) {
  static TenantContentsView of(String tenant, TenantContents contents) {
    return new TenantContentsView(
        tenant, contents.devices(), contents.hosts(), contents.releases(), contents.upgrades(), contents.rollouts());
  }
}
