package dev.uplift.api.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.api.security.ApiTokens;
import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.store.token.ApiTokenRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(SharedServerExtension.class)
final class ApiTokenTest {
  private static final String DRAFT =
      """
      {"draft": true, "package": "shopd", "version": "2.0", "selection": "true", "everything": true,
       "waves": [{"count": 1, "gate": "approval"}, {"rest": true}]}
      """;

  @Test
  void aScriptHasTheTenantAndTheRoleOfItsToken(TestTenant tenant) {
    JsonNode created = create(tenant, "{\"name\":\"ci\",\"role\":\"operator\",\"valid_for_seconds\":600}");
    TestClient script = client(tenant.server(), created);

    script.get(tenant.path("devices")).expectStatus(200);
    assertThat(script.send("PUT", tenant.path("devices/gate"), "{\"hosts\":[\"left\"]}").expectStatus(403).detail())
        .isEqualTo("needs the role admin; admin has viewer, operator");
    script.get("/v1/tenants/another/devices").expectStatus(404);
    assertThat(Instant.parse(created.path("expires_at").asString())).isBefore(Instant.now().plusSeconds(601));
    JsonNode entry = tenant.admin().get(tenant.path("audit?limit=1")).json().path("items").path(0);
    assertThat(entry.path("action").asString()).isEqualTo("token.create");
    assertThat(entry.path("target").asString()).isEqualTo("token/" + created.path("id").asString());
    assertThat(entry.path("detail").asString())
        .startsWith("ci, operator, until ")
        .doesNotContain(created.path("token").asString());
  }

  @Test
  void aScriptActsForThePersonWhoCreatedItsToken(TestTenant tenant) {
    JsonNode created = create(tenant, "{\"name\":\"ci\",\"role\":\"admin\"}");
    client(tenant.server(), created)
        .send("PUT", tenant.path("devices/gate"), "{\"hosts\":[\"left\"]}")
        .expectStatus(201);

    JsonNode entry = tenant.admin().get(tenant.path("audit?limit=1")).json().path("items").path(0);
    assertThat(entry.path("actor").asString()).isEqualTo("admin");
    assertThat(entry.path("origin").asString()).isEqualTo("127.0.0.1 token/" + created.path("id").asString());
  }

  @Test
  void aScriptDoesNotApproveWhatItsCreatorHasBegun(TestTenant tenant) {
    TestServer server = tenant.server();
    tenant.admin().send("POST", tenant.path("releases"), server.home().release("shopd", "2.0", 20)).expectStatus(201);
    tenant.putDevice("gate", "left");
    tenant
        .admin()
        .withHeader("Idempotency-Key", "north")
        .send("POST", tenant.path("rollouts"), DRAFT)
        .expectStatus(201);
    String approve = tenant.path("rollouts/north/approve");
    String approval = "{\"reason\":\"looks well\",\"revision\":1}";

    TestClient script = client(server, create(tenant, "{\"name\":\"ci\",\"role\":\"operator\"}"));
    assertThat(script.send("POST", approve, approval).expectStatus(403).detail())
        .isEqualTo("admin created, changed or started this rollout; another person has to approve it");
    // As a draft it needs no approval yet.
    tenant.operator().send("POST", approve, approval).expectStatus(409);
  }

  @Test
  void aScriptCreatesNoOtherToken(TestTenant tenant) {
    TestClient script = client(tenant.server(), create(tenant, "{\"name\":\"ci\",\"role\":\"admin\"}"));

    assertThat(
            script
                .send("POST", tenant.path("api-tokens"), "{\"name\":\"other\",\"role\":\"viewer\"}")
                .expectStatus(403)
                .detail())
        .isEqualTo("the token of a script creates no other; log in as a person");
  }

  @Test
  void aTokenEndsWithThoseOfItsCreator(TestTenant tenant) {
    TestClient script = client(tenant.server(), create(tenant, "{\"name\":\"ci\",\"role\":\"viewer\"}"));
    script.get(tenant.path("devices")).expectStatus(200);

    tenant.admin().send("POST", tenant.path("token-revocations"), "{\"subject\":\"admin\"}").expectStatus(200);

    assertThat(script.get(tenant.path("devices")).expectStatus(401).detail()).isEqualTo("the token was revoked");
  }

  @Test
  void anotherServerKnowsATokenAndItsRevocationWithinSeconds() {
    ServerHome home = new ServerHome();
    try (TestServer server = TestServer.of(home, home.environment());
        TestServer other = onDatabaseOf(home, Map.of())) {
      TestTenant tenant = server.newTenant();
      JsonNode created = create(tenant, "{\"name\":\"ci\",\"role\":\"viewer\"}");
      TestClient script = client(other, created);
      await("the token is known")
          .atMost(Duration.ofSeconds(20))
          .until(() -> script.get(tenant.path("devices")).status() == 200);

      tenant
          .admin()
          .send("POST", tenant.path("token-revocations"), "{\"token_id\":\"" + created.path("id").asString() + "\"}")
          .expectStatus(200);

      await("it is revoked")
          .atMost(Duration.ofSeconds(20))
          .until(() -> script.get(tenant.path("devices")).status() == 401);
    }
  }

  @Test
  void aShorterLifetimeOfTodayEndsEarlierTokens() {
    ServerHome home = new ServerHome();
    try (TestServer server = TestServer.of(home, home.environment())) {
      TestTenant tenant = server.newTenant();
      JsonNode created = create(tenant, "{\"name\":\"ci\",\"role\":\"viewer\"}");
      try (TestServer later = onDatabaseOf(home, Map.of("UPLIFT_JWT_MAX_LIFETIME", "PT1S"))) {
        TestClient script = client(later, created);
        await("it expires")
            .atMost(Duration.ofSeconds(20))
            .until(() -> script.get(tenant.path("devices")).detail().startsWith("the token expired at "));
      }
    }
  }

  @Test
  void onlyAHashIsStored(TestTenant tenant) {
    String token = create(tenant, "{\"name\":\"ci\",\"role\":\"viewer\"}").path("token").asString();

    assertThat(token).matches("uplift_[0-9a-f]{16}_[A-Za-z0-9_-]{43}");
    assertThat(tenant.server().bean(ApiTokenRepository.class).listAll().toString())
        .contains(tenant.name())
        .doesNotContain(token.substring(24));
    assertThat(tenant.admin().get(tenant.path("api-tokens")).expectStatus(200).text()).doesNotContain(token);
  }

  @Test
  void aTokenIsRevokedByItsIdAndListedAsSuch(TestTenant tenant) {
    JsonNode created = create(tenant, "{\"name\":\"ci\",\"role\":\"viewer\"}");
    JsonNode other = create(tenant, "{\"name\":\"ci\",\"role\":\"viewer\"}");
    TestClient script = client(tenant.server(), created);
    script.get(tenant.path("devices")).expectStatus(200);

    tenant
        .admin()
        .send("POST", tenant.path("token-revocations"), "{\"token_id\":\"" + created.path("id").asString() + "\"}")
        .expectStatus(200);

    assertThat(script.get(tenant.path("devices")).expectStatus(401).detail()).isEqualTo("the token was revoked");
    client(tenant.server(), other).get(tenant.path("devices")).expectStatus(200);
    JsonNode list = tenant.admin().get(tenant.path("api-tokens")).expectStatus(200).json().path("items");
    assertThat(list.path(0).path("id")).isEqualTo(other.path("id"));
    assertThat(list.path(0).path("revoked").asBoolean()).isFalse();
    assertThat(list.path(1).path("revoked").asBoolean()).isTrue();
  }

  @Test
  void theLastUseIsShown(TestTenant tenant) {
    JsonNode created = create(tenant, "{\"name\":\"ci\",\"role\":\"viewer\"}");
    assertThat(listed(tenant).has("last_used_at")).isFalse();
    client(tenant.server(), created).get(tenant.path("devices")).expectStatus(200);

    tenant.server().bean(ApiTokens.class).recordUses();

    assertThat(Instant.parse(listed(tenant).path("last_used_at").asString())).isAfter(Instant.now().minusSeconds(60));
  }

  @Test
  void anExpiredTokenIsRefused(TestTenant tenant) {
    JsonNode created = create(tenant, "{\"name\":\"ci\",\"role\":\"viewer\",\"valid_for_seconds\":1}");
    TestClient script = client(tenant.server(), created);

    await("it expires").atMost(Duration.ofSeconds(20)).until(() -> script.get(tenant.path("devices")).status() == 401);

    assertThat(script.get(tenant.path("devices")).detail())
        .isEqualTo("the token expired at " + created.path("expires_at").asString());
  }

  @Test
  void anUnknownTokenIsRefused(TestTenant tenant) {
    for (String token : new String[] {"uplift_", "uplift_0123456789abcdef_" + "x".repeat(43)}) {
      TestClient client = new TestClient(tenant.server(), Map.of("Authorization", "Bearer " + token));
      assertThat(client.get(tenant.path("devices")).expectStatus(401).detail()).isEqualTo("the token is not known");
    }
  }

  @Test
  void onlyAdminsMakeTokens(TestTenant tenant) {
    tenant
        .operator()
        .send("POST", tenant.path("api-tokens"), "{\"name\":\"ci\",\"role\":\"viewer\"}")
        .expectStatus(403);
    tenant.operator().get(tenant.path("api-tokens")).expectStatus(403);
  }

  @Test
  void aTokenIsNotValidForLongerThanTheServerAllows() {
    ServerHome home = new ServerHome();
    Map<String, String> environment = home.environment();
    environment.put("UPLIFT_JWT_MAX_LIFETIME", "P1D");
    try (TestServer server = TestServer.of(home, environment)) {
      TestTenant tenant = server.newTenant();
      String path = tenant.path("api-tokens");
      assertThat(
              tenant
                  .admin()
                  .send("POST", path, "{\"name\":\"ci\",\"role\":\"viewer\",\"valid_for_seconds\":86401}")
                  .expectStatus(422)
                  .detail())
          .contains("expected at most 86400");
    }
  }

  /// Starts another server on the same tables.
  private static TestServer onDatabaseOf(ServerHome home, Map<String, String> more) {
    ServerHome other = new ServerHome();
    Map<String, String> environment = other.environment();
    environment.put("UPLIFT_DATABASE_URL", home.environment().getOrDefault("UPLIFT_DATABASE_URL", ""));
    environment.putAll(more);
    return TestServer.of(other, environment);
  }

  private static JsonNode create(TestTenant tenant, String body) {
    return tenant.admin().send("POST", tenant.path("api-tokens"), body).expectStatus(201).json();
  }

  private static JsonNode listed(TestTenant tenant) {
    return tenant.admin().get(tenant.path("api-tokens")).expectStatus(200).json().path("items").path(0);
  }

  private static TestClient client(TestServer server, JsonNode created) {
    return new TestClient(server, Map.of("Authorization", "Bearer " + created.path("token").asString()));
  }
}
