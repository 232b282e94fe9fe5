package dev.uplift.api.security;

import dev.uplift.services.scheduling.PeriodicTasks;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.tenant.TenantRow;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

/// The deleted tenants, as they were in the database at most two seconds ago; as long as the database is unavailable,
/// as they were before.
///
/// In memory, because each request asks, on a thread that must not wait.
@Singleton
public final class DeletedTenants {
  private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(2);

  private final TenantRepository tenants;
  private final PeriodicTasks tasks;
  private volatile Set<String> names;

  DeletedTenants(TenantRepository tenants) {
    this.tenants = tenants;
    this.names = read(tenants);
    this.tasks = new PeriodicTasks().schedule(REFRESH_INTERVAL, "deleted-tenants", this::refresh);
  }

  /// Afterwards every tenant counts that was deleted before.
  public void refresh() {
    names = read(tenants);
  }

  private static Set<String> read(TenantRepository tenants) {
    return tenants.listDeleted().stream().map(TenantRow::name).collect(Collectors.toUnmodifiableSet());
  }

  public boolean contains(String tenant) {
    return names.contains(tenant);
  }

  public Set<String> names() {
    return names;
  }

  @PreDestroy
  void close() {
    tasks.close();
  }
}
