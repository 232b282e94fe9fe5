package dev.uplift.store.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TenantRepositoryTest extends DatabaseScenario {
  private TenantRepository tenants = database.repository(TenantRepository.class);

  @BeforeEach
  void open() {
    tenants = database.repository(TenantRepository.class);
  }

  @Test
  void aTenantIsCreatedOnceAndMayChangeItsTitle() {
    TenantRow created = tenants.put("acme", "Acme");
    clock.advance(Duration.ofDays(1));
    TenantRow changed = tenants.put("acme", "Acme Ltd");

    assertThat(created.createdAt()).isEqualTo(changed.createdAt());
    assertThat(tenants.find("acme")).contains(new TenantRow("acme", "Acme Ltd", created.createdAt()));
    assertThat(tenants.find("unknown")).isEmpty();
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
      next = next.get().next(page);
    }

    assertThat(seen).containsSubsequence("list-a", "list-b").doesNotHaveDuplicates();
  }
}
