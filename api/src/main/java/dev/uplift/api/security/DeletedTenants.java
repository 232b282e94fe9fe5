package dev.uplift.api.security;

import static java.util.stream.Collectors.toUnmodifiableSet;

import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.tenant.TenantRow;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.Set;

/// The deleted tenants, as a [RefreshedCache].
@Singleton
public final class DeletedTenants {
  private final RefreshedCache<Set<String>> cache;

  DeletedTenants(TenantRepository tenants) {
    this.cache = new RefreshedCache<>("deleted-tenants", read(tenants), _ -> read(tenants));
  }

  private static Set<String> read(TenantRepository tenants) {
    return tenants.listDeleted().stream().map(TenantRow::name).collect(toUnmodifiableSet());
  }

  /// Afterwards every tenant counts that was deleted before.
  public void refresh() {
    cache.refresh();
  }

  public boolean contains(String tenant) {
    return cache.get().contains(tenant);
  }

  public Set<String> names() {
    return cache.get();
  }

  @PreDestroy
  void close() {
    cache.close();
  }
}
