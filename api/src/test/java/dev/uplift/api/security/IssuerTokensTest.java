package dev.uplift.api.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.uplift.api.testing.LocalIssuer;
import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
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

  /// The default is half a minute, so it is not the one that counts here.
  @Test
  void theClockOfAnIssuerMayDifferAsMuchAsItsEntrySays() throws Exception {
    ServerHome home = new ServerHome();
    Map<String, String> environment = home.environment();
    Path file = Path.of(home.path("issuers.json"));
    try (var issuer = new LocalIssuer()) {
      Files.writeString(
          file, issuer.entry("uplift", "viewer").replace("{\"name\"", "{\"clock_skew\": \"PT2M\", \"name\""));
      environment.put("UPLIFT_OIDC_ISSUERS_FILE", file.toString());
      try (TestServer server = TestServer.of(home, environment)) {
        server.clientWithRole("admin", "*").send("PUT", "/v1/tenants/acme", "{}").expectStatus(201);
        TestClient ann = issuer.client(server, "uplift");
        await("keys are read").until(() -> ann.get("/v1/tenants/acme/devices").status() == 200);

        for (UnaryOperator<JWTClaimsSet.Builder> inside :
            List.<UnaryOperator<JWTClaimsSet.Builder>>of(
                claims -> claims.issueTime(at(-300)).expirationTime(at(-60)),
                claims -> claims.issueTime(at(60)),
                claims -> claims.notBeforeTime(at(60)))) {
          issuer.client(server, "uplift", inside).get("/v1/tenants/acme/devices").expectStatus(200);
        }
        assertThat(refusal(server, issuer, claims -> claims.issueTime(at(-300)).expirationTime(at(-180))))
            .startsWith("the token expired at ");
        assertThat(refusal(server, issuer, claims -> claims.issueTime(at(180))))
            .startsWith("the token is issued in the future, at ");
        assertThat(refusal(server, issuer, claims -> claims.notBeforeTime(at(180))))
            .startsWith("the token is not valid before ");
      }
    }
  }

  private static String refusal(TestServer server, LocalIssuer issuer, UnaryOperator<JWTClaimsSet.Builder> outside)
      throws JOSEException {
    return issuer.client(server, "uplift", outside).get("/v1/tenants/acme/devices").expectStatus(401).detail();
  }

  private static Date at(int secondsFromNow) {
    return Date.from(Instant.now().plusSeconds(secondsFromNow));
  }
}
