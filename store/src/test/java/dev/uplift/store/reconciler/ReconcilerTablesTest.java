package dev.uplift.store.reconciler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.store.DatabaseScenario;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ReconcilerTablesTest extends DatabaseScenario {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void oneServerHasTheLeaseUntilItExpiresAndTheNextContinuesThere() {
    var leases = database.repository(ReconcilerLeaseRepository.class);
    String name = "upgrades-of-" + tenant;

    assertThat(leases.acquire(name, "one", MINUTE)).contains("");
    assertThat(leases.acquire(name, "two", MINUTE)).isEmpty();
    leases.savePosition(name, "one", "row 7");
    leases.savePosition(name, "two", "row 1");
    assertThat(leases.acquire(name, "one", MINUTE)).contains("row 7");

    clock.advance(MINUTE);

    assertThat(leases.acquire(name, "two", MINUTE)).contains("row 7");
    assertThat(leases.acquire(name, "one", MINUTE)).isEmpty();
  }

  @Test
  void workflowIsListedWhileItFails() {
    var repository = database.repository(FailingWorkflowRepository.class);
    long before = repository.countAll();
    var first = new FailingWorkflow(tenant, "upgrade/t/a", clock.instant(), 4, "no such step\0");

    repository.put(first);
    repository.put(new FailingWorkflow(tenant, "upgrade/t/a", clock.instant(), 9, "x".repeat(2000)));

    assertThat(repository.countAll()).isEqualTo(before + 1);
    assertThat(repository.find(tenant, "upgrade/t/a"))
        .contains(new FailingWorkflow(tenant, "upgrade/t/a", clock.instant(), 9, "x".repeat(1000)));
    assertThat(repository.find(newTenant(), "upgrade/t/a")).isEmpty();
    assertThat(repository.list(1000)).anyMatch(each -> each.tenant().equals(tenant));

    repository.delete(tenant, "upgrade/t/a");

    assertThat(repository.countAll()).isEqualTo(before);
  }
}
