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
    TenantRow created = tenants.put("acme", "Acme").orElseThrow();
    clock.advance(Duration.ofDays(1));
    TenantRow changed = tenants.put("acme", "Acme Ltd").orElseThrow();

    assertThat(created.createdAt()).isEqualTo(changed.createdAt());
    assertThat(tenants.find("acme"))
        .contains(new TenantRow("acme", "Acme Ltd", false, created.createdAt(), null, null));
    assertThat(tenants.find("unknown")).isEmpty();
  }

  @Test
  void theNameOfADeletedTenantIsNotUsedAgain() {
    tenants.put("gone", "Gone");

    assertThat(tenants.delete("gone")).isTrue();

    assertThat(tenants.delete("gone")).isFalse();
    assertThat(tenants.find("gone")).isEmpty();
    assertThat(tenants.put("gone", "Again")).isEmpty();
    assertThat(tenants.findWithDeleted("gone").orElseThrow().title()).isEqualTo("Gone");
    PageRequest all = PageRequest.first(PageRequest.MAX_LIMIT);
    assertThat(tenants.list(all).rows()).extracting(TenantRow::name).doesNotContain("gone");
    assertThat(tenants.listWithDeleted(all).rows()).extracting(TenantRow::name).contains("gone");
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
