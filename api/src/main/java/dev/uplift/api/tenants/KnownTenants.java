package dev.uplift.api.tenants;

import dev.uplift.api.problem.Refusal;
import dev.uplift.store.Tenants;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Which tenants there are. One that was seen is not looked up again, for none is ever removed.
@Singleton
public final class KnownTenants {
  private final Tenants tenants;
  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  KnownTenants(Tenants tenants) {
    this.tenants = tenants;
  }

  /// Refuses the request where there is no such tenant.
  public void check(String tenant) {
    if (seen.contains(tenant)) {
      return;
    }
    if (tenants.find(tenant).isEmpty()) {
      throw missing(tenant);
    }
    seen.add(tenant);
  }

  static Refusal missing(String tenant) {
    return Refusal.notFound(
        "there is no tenant %s; an admin of all tenants makes it with PUT /v1/tenants/%s"
            .formatted(tenant, tenant));
  }
}
