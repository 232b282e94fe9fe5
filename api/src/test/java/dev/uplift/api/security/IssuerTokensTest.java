package dev.uplift.api.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JWSAlgorithm;
import dev.uplift.api.testing.LocalIssuer;
import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class IssuerTokensTest {
  @Test
  void tokensThatAreSignedWithEd25519AreAccepted() throws Exception {
    ServerHome home = new ServerHome();
    Map<String, String> environment = home.environment();
    Path file = Path.of(home.path("issuers.json"));
    try (var issuer = new LocalIssuer()) {
      Files.writeString(file, issuer.entry("uplift", "viewer"));
      environment.put("UPLIFT_OIDC_ISSUERS_FILE", file.toString());
      try (TestServer server = TestServer.of(home, environment)) {
        server.clientWithRole("admin", "*").send("PUT", "/v1/tenants/acme", "{}").expectStatus(201);
        TestClient ann = issuer.ed25519Client(server, "uplift", JWSAlgorithm.EdDSA);

        await("keys are read").until(() -> ann.get("/v1/tenants/acme/devices").status() == 200);
        assertThat(
                issuer
                    .ed25519Client(server, "uplift", JWSAlgorithm.ES256)
                    .get("/v1/tenants/acme/devices")
                    .expectStatus(401)
                    .detail())
            .contains("not signed with a key of its issuer");
        assertThat(
                issuer
                    .ed25519Client(server, "uplift", JWSAlgorithm.Ed448)
                    .get("/v1/tenants/acme/devices")
                    .expectStatus(401)
                    .detail())
            .contains("or EdDSA with Ed25519");
      }
    }
  }
}
