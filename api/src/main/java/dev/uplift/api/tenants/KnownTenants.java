package dev.uplift.api.tenants;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.store.tenant.TenantRepository;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Checks that tenants exist. A known one is not looked up again: if it is deleted, its requests do not get here.
@Singleton
public final class KnownTenants {
  private final TenantRepository tenants;
  private final Set<String> knownNames = ConcurrentHashMap.newKeySet();

  KnownTenants(TenantRepository tenants) {
    this.tenants = tenants;
  }

  /// Refuses the request if there is no such tenant.
  public void requireExists(String tenant) {
    if (knownNames.contains(tenant)) {
      return;
    }
    if (tenants.find(tenant).isEmpty()) {
      throw notFound(tenant);
    }
    knownNames.add(tenant);
  }

  static ProblemException notFound(String tenant) {
    return ProblemException.notFound(
        "there is no tenant %s; an admin of all tenants makes it with PUT /v1/tenants/%s".formatted(tenant, tenant));
  }
}
