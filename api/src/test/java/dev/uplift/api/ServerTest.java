package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServerExtension.class)
final class ServerTest {
  @Test
  void reportsUnavailableServicesAndStaysAlive(TestServer server) {
    var health = server.anonymousClient().get("/health");

    assertThat(health.status()).isEqualTo(503);
    assertThat(health.json().toString())
        .isEqualTo(
            """
            {"status":"down","database":"up","temporal":"down","nats":"down"}\
            """);
    assertThat(server.anonymousClient().get("/health/readiness").expectStatus(200).text())
        .isEqualTo("{\"status\":\"up\",\"database\":\"up\"}");
    assertThat(server.anonymousClient().get("/health/liveness").expectStatus(200).text())
        .isEqualTo("{\"status\":\"up\"}");
  }

  @Test
  void servesItsDocumentationWithoutExternalResources(TestServer server) {
    assertThat(server.anonymousClient().get("/swagger/uplift.yml").expectStatus(200).text())
        .contains("openapi: 3");
    String page = server.anonymousClient().get("/swagger-ui").expectStatus(200).text();
    assertThat(page).doesNotContain("://");
    server.anonymousClient().get("/swagger-ui/start.js").expectStatus(200);
    server.anonymousClient().get("/swagger-ui/assets/swagger-ui-bundle.js").expectStatus(200);
    server.anonymousClient().get("/swagger-ui/assets/swagger-ui.css").expectStatus(200);
  }

  @Test
  void redirectsFromTheRootToTheDocumentation(TestServer server) {
    assertThat(server.anonymousClient().get("/").expectStatus(307).header("Location"))
        .contains("/swagger-ui");
    server.clientWithRole("viewer", "acme").get("/").expectStatus(307);
  }

  @Test
  void servesMetricsToPrometheus(TestServer server) {
    server.anonymousClient().get("/metrics").expectStatus(200);
  }
}
