package dev.uplift.api.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.SseClient;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.api.testing.TestTokens;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedServerExtension.class)
final class TokenRevocationTest {
  @Test
  void aRevokedTokenIsRefusedAndAnotherOneOfItsSubjectIsNot(TestTenant tenant) {
    TestClient lost = client(tenant, claims(tenant, "ann").jwtID("t-1"));
    TestClient other = client(tenant, claims(tenant, "ann").jwtID("t-2"));
    lost.get(tenant.path("devices")).expectStatus(200);

    JsonNode revoked =
        revoke(tenant.admin(), tenant, "{\"token_id\":\"t-1\",\"reason\":\"lost laptop\"}").expectStatus(200).json();

    TestResponse refused = lost.get(tenant.path("devices")).expectStatus(401);
    assertThat(refused.detail()).isEqualTo("the token was revoked");
    assertThat(refused.header("WWW-Authenticate").orElseThrow()).contains("invalid_token");
    other.get(tenant.path("devices")).expectStatus(200);
    assertThat(revoked.path("tenant").asString()).isEqualTo(tenant.name());
    assertThat(revoked.path("revoked_by").asString()).isEqualTo("admin");
    assertThat(tenant.admin().get(tenant.path("token-revocations")).expectStatus(200).texts("items", "reason"))
        .contains("lost laptop");
    JsonNode entry = tenant.admin().get(tenant.path("audit?limit=1")).json().path("items").path(0);
    assertThat(entry.path("action").asString()).isEqualTo("token.revoke");
    assertThat(entry.path("target").asString()).isEqualTo("token/t-1");
    assertThat(entry.path("detail").asString()).isEqualTo("lost laptop");
  }

  @Test
  void tokensOfASubjectAreRevokedUpToATimeOfIssue(TestTenant tenant) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    TestClient old = client(tenant, claims(tenant, "bob").issueTime(Date.from(now.minusSeconds(3600))));
    TestClient recent = client(tenant, claims(tenant, "bob").issueTime(Date.from(now.minusSeconds(60))));
    TestClient stranger = client(tenant, claims(tenant, "cid").issueTime(Date.from(now.minusSeconds(3600))));

    revoke(tenant.admin(), tenant, "{\"subject\":\"bob\",\"issued_before\":\"%s\"}".formatted(now.minusSeconds(1800)))
        .expectStatus(200);
    old.get(tenant.path("devices")).expectStatus(401);
    recent.get(tenant.path("devices")).expectStatus(200);
    stranger.get(tenant.path("devices")).expectStatus(200);

    revoke(tenant.admin(), tenant, "{\"subject\":\"bob\"}").expectStatus(200);
    recent.get(tenant.path("devices")).expectStatus(401);
    stranger.get(tenant.path("devices")).expectStatus(200);
  }

  @Test
  void anAdminRevokesTokensOfTheOwnTenantAndOneOfAllTenantsThoseOfEveryone(TestTenant tenant, TestServer server) {
    TestTenant neighbour = server.newTenant();
    TestClient here = client(tenant, claims(tenant, "dan-1"));
    TestClient there = client(neighbour, claims(neighbour, "dan-1"));
    TestClient everywhere = client(tenant, TestTokens.claims("*", "viewer").subject("dan-1"));

    revoke(tenant.admin(), tenant, "{\"subject\":\"dan-1\"}").expectStatus(200);
    here.get(tenant.path("devices")).expectStatus(401);
    there.get(neighbour.path("devices")).expectStatus(200);
    everywhere.get(tenant.path("devices")).expectStatus(200);
    revoke(tenant.admin(), neighbour, "{\"subject\":\"dan-1\"}").expectStatus(404);

    revoke(server.clientWithRole("admin", "*"), tenant, "{\"subject\":\"dan-1\"}").expectStatus(200);
    there.get(neighbour.path("devices")).expectStatus(401);
    everywhere.get(tenant.path("devices")).expectStatus(401);
    assertThat(neighbour.admin().get(neighbour.path("token-revocations")).texts("items", "subject")).contains("dan-1");
    revoke(tenant.operator(), tenant, "{\"subject\":\"dan-1\"}").expectStatus(403);
  }

  @Test
  void aRequestNamesATokenOrASubject(TestTenant tenant) {
    String later = Instant.now().plus(Duration.ofHours(1)).toString();
    assertThat(revoke(tenant.admin(), tenant, "{}").expectStatus(400).text()).contains("token_id or subject");
    assertThat(revoke(tenant.admin(), tenant, "{\"token_id\":\"a\",\"subject\":\"b\"}").expectStatus(400).text())
        .contains("token_id or subject");
    assertThat(
            revoke(tenant.admin(), tenant, "{\"subject\":\"b\",\"issued_before\":\"%s\"}".formatted(later))
                .expectStatus(400)
                .text())
        .contains("/issued_before", "not in the future");
  }

  /// The token is revoked at one server, and used at the other.
  @Test
  void everyServerRefusesTheTokenAndEndsItsEventStreams() {
    ServerHome home = new ServerHome();
    try (TestServer first = TestServer.of(home, home.environment());
        TestServer second = TestServer.of(new ServerHome(), home.environment())) {
      TestTenant tenant = first.newTenant();
      var token = claims(tenant, "eve").jwtID("t-eve").build();
      TestClient here = client(first, token);
      TestClient there = client(second, token);
      tenant
          .operator()
          .withHeader("Idempotency-Key", "r-1")
          .send(
              "POST",
              tenant.path("rollouts"),
              "{\"package\":\"shopd\",\"version\":\"2.0\",\"selection\":\"true\",\"draft\":true}")
          .expectStatus(201);
      try (SseClient events = new SseClient(there, tenant.path("rollouts/r-1/events"))) {
        assertThat(events.next().name()).isEqualTo("progress");

        revoke(tenant.admin(), tenant, "{\"token_id\":\"t-eve\"}").expectStatus(200);

        here.get(tenant.path("devices")).expectStatus(401);
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> there.get(tenant.path("devices")).expectStatus(401));
        assertThat(events.remaining()).isEmpty();
      }
    }
  }

  private static TestResponse revoke(TestClient client, TestTenant tenant, String body) {
    return client.send("POST", tenant.path("token-revocations"), body);
  }

  private static JWTClaimsSet.Builder claims(TestTenant tenant, String subject) {
    return TestTokens.claims(tenant.name(), "viewer").subject(subject);
  }

  private static TestClient client(TestTenant tenant, JWTClaimsSet.Builder claims) {
    return client(tenant.server(), claims.build());
  }

  private static TestClient client(TestServer server, JWTClaimsSet claims) {
    return new TestClient(
        server, Map.of("Authorization", "Bearer " + TestTokens.signed(ServerHome.TOKEN_SECRET, claims)));
  }
}
