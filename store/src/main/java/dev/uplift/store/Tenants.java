package dev.uplift.store;

import java.time.InstantSource;
import java.util.Optional;

/// The table `tenant`. A tenant is never removed.
@SuppressWarnings("DoNotCallSuggester")
public final class Tenants {
  public Tenants(Database database, InstantSource clock) {}

  /// Creates the tenant, or gives it another title.
  public TenantRow put(String name, String title) {
    throw new UnsupportedOperationException();
  }

  public Optional<TenantRow> find(String name) {
    throw new UnsupportedOperationException();
  }

  /// By name.
  public Page<TenantRow> list(PageRequest page) {
    throw new UnsupportedOperationException();
  }
}
