package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.testservers.PostgresServer;
import dev.uplift.testservers.TestServers;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The password is exchanged in a PostgreSQL that asks for it.
final class DatabasePasswordTest {
  private static final String ROLE = "fleet";

  @Test
  void openConnectionsStayAndFurtherOnesHaveTheNewPassword() {
    try (PostgresServer server = TestServers.postgres()) {
      server.createRoleWithPassword(ROLE, "one");
      try (Database database = Database.open(new DatabaseSettings(server.url(ROLE), ROLE, "one", 2))) {
        TenantRepository tenants = database.repository(TenantRepository.class);
        tenants.put("acme", "before");

        server.changePassword(ROLE, "two");
        tenants.put("acme", "in between");
        assertThat(database.isAvailable()).as("with the connections that are open").isTrue();

        server.disconnect(ROLE);
        await("without the new password").atMost(Duration.ofSeconds(30)).until(() -> !database.isAvailable());

        database.changePassword("two");
        await("with the new password").atMost(Duration.ofSeconds(30)).until(database::isAvailable);
        tenants.put("acme", "after");
        assertThat(tenants.find("acme").orElseThrow().title()).isEqualTo("after");
      }
    }
  }
}
