package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.server.SharedServer;
import dev.uplift.api.server.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServer.class)
final class ServerTest {
  @Test
  void saysWhatIsAwayAndIsAliveAllTheSame(TestServer server) {
    var health = server.nobody().get("/health");

    assertThat(health.status()).isEqualTo(503);
    assertThat(health.json().toString())
        .isEqualTo(
            """
            {"status":"down","database":"up","temporal":"down","nats":"down"}\
            """);
    assertThat(server.nobody().get("/health/readiness").is(200).text())
        .isEqualTo("{\"status\":\"up\",\"database\":\"up\"}");
    assertThat(server.nobody().get("/health/liveness").is(200).text())
        .isEqualTo("{\"status\":\"up\"}");
  }

  @Test
  void showsItsDocumentationWithoutHelpFromElsewhere(TestServer server) {
    assertThat(server.nobody().get("/swagger/uplift.yml").is(200).text()).contains("openapi: 3");
    String page = server.nobody().get("/swagger-ui").is(200).text();
    assertThat(page).doesNotContain("://");
    server.nobody().get("/swagger-ui/start.js").is(200);
    server.nobody().get("/swagger-ui/assets/swagger-ui-bundle.js").is(200);
    server.nobody().get("/swagger-ui/assets/swagger-ui.css").is(200);
  }

  @Test
  void leadsFromItsBareAddressToTheDocumentation(TestServer server) {
    assertThat(server.nobody().get("/").is(307).header("Location")).contains("/swagger-ui");
    server.anyone("viewer", "acme").get("/").is(307);
  }

  @Test
  void showsFiguresToPrometheus(TestServer server) {
    server.nobody().get("/metrics").is(200);
  }
}
