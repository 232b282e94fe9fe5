package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TenantsTest extends OnBothDatabases {
  private Tenants tenants = new Tenants(database, clock);

  @BeforeEach
  void open() {
    tenants = new Tenants(database, clock);
  }

  @Test
  void aTenantIsCreatedOnceAndMayChangeItsTitle() {
    TenantRow created = tenants.put("acme", "Acme");
    clock.pass(Duration.ofDays(1));
    TenantRow changed = tenants.put("acme", "Acme Ltd");

    assertThat(created.createdAt()).isEqualTo(changed.createdAt());
    assertThat(tenants.find("acme"))
        .contains(new TenantRow("acme", "Acme Ltd", created.createdAt()));
    assertThat(tenants.find("nobody")).isEmpty();
  }

  @Test
  void tenantsAreListedByName() {
    tenants.put("list-b", "");
    tenants.put("list-a", "");
    var seen = new ArrayList<String>();
    Optional<PageRequest> next = Optional.of(PageRequest.first(1));
    while (next.isPresent()) {
      Page<TenantRow> page = tenants.list(next.get());
      page.rows().forEach(row -> seen.add(row.name()));
      next = next.get().after(page);
    }

    assertThat(seen).containsSubsequence("list-a", "list-b").doesNotHaveDuplicates();
  }
}
