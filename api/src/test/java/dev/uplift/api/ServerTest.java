package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedServerExtension.class)
final class ServerTest {
  @Test
  void reportsEachDependencyAndIsAliveWithoutThem(TestServer server) {
    var health = server.anonymousClient().get("/health");

    assertThat(health.status()).isEqualTo(503);
    assertThat(health.json().path("status").asString()).isEqualTo("DOWN");
    assertThat(health.json().path("details").properties())
        .extracting(part -> part.getKey() + " " + part.getValue().path("status").asString())
        .containsExactlyInAnyOrder(
            "database UP",
            "temporal DOWN",
            "nats DOWN",
            "streams UP",
            "hosts UP",
            "convergence UP",
            "workflows UP",
            "service UP",
            "gracefulShutdown UP",
            "deadlockedThreads UP");
    assertThat(health.json().at("/details/convergence/details").valueStream().map(JsonNode::asString))
        .isNotEmpty()
        .allSatisfy(each -> assertThat(each).startsWith("recovering: "));
    var readiness = server.anonymousClient().get("/health/readiness").expectStatus(200);
    assertThat(readiness.json().path("status").asString()).isEqualTo("UP");
    assertThat(readiness.json().path("details").properties())
        .extracting(part -> part.getKey())
        .containsExactlyInAnyOrder("database", "service", "gracefulShutdown");
    var liveness = server.anonymousClient().get("/health/liveness").expectStatus(200);
    assertThat(liveness.json().path("details").properties())
        .extracting(part -> part.getKey())
        .containsExactly("deadlockedThreads");
    server.anonymousClient().get("/health/other").expectStatus(400);
  }

  @Test
  void servesItsDocumentationWithoutExternalResources(TestServer server) {
    assertThat(server.anonymousClient().get("/swagger/uplift.yml").expectStatus(200).text()).contains("openapi: 3");
    String page = server.anonymousClient().get("/swagger-ui").expectStatus(200).text();
    assertThat(page).doesNotContain("://");
    server.anonymousClient().get("/swagger-ui/start.js").expectStatus(200);
    server.anonymousClient().get("/swagger-ui/assets/swagger-ui-bundle.js").expectStatus(200);
    server.anonymousClient().get("/swagger-ui/assets/swagger-ui.css").expectStatus(200);
  }

  @Test
  void redirectsFromTheRootToTheDocumentation(TestServer server) {
    assertThat(server.anonymousClient().get("/").expectStatus(307).header("Location")).contains("/swagger-ui");
    server.clientWithRole("viewer", "acme").get("/").expectStatus(307);
  }

  @Test
  void publishesMetricsWithoutTheNamesOfTenants(TestServer server) {
    var tenant = server.newTenant();
    tenant.viewer().get(tenant.path("devices")).expectStatus(200);

    assertThat(server.anonymousClient().get("/prometheus").expectStatus(200).text())
        .contains("uplift_trust_roots_expiring", "jvm_memory_used_bytes")
        .contains("uplift_database_statements_total", "uplift_database_transactions_total{kind=\"write\"")
        .contains("uri=\"/v1/tenants/{tenant}/devices\"")
        .doesNotContain(tenant.name());
  }
}
