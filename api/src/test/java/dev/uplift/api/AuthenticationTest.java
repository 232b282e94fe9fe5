package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.api.testing.TestTokens;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServerExtension.class)
final class AuthenticationTest {
  @Test
  void aRequestWithoutATokenIsAnsweredWithTheExpectedHeader(TestTenant testTenant) {
    TestResponse testResponse = testTenant.server().anonymousClient().get(testTenant.path("devices")).expectStatus(401);

    assertThat(testResponse.header("WWW-Authenticate")).contains("Bearer realm=\"uplift\"");
    assertThat(testResponse.detail()).contains("Authorization: Bearer");
  }

  @Test
  void aTokenSignedWithAnotherSecretIsRejected(TestTenant testTenant) {
    String foreign = TestTokens.signed("x".repeat(40), TestTokens.claims(testTenant.name(), "admin").build());

    TestResponse testResponse = as(testTenant, foreign).expectStatus(401);

    assertThat(testResponse.header("WWW-Authenticate").orElseThrow()).contains("invalid_token");
    assertThat(testResponse.detail()).contains("not signed by this server's secret");
  }

  @Test
  void aTokenOfAnEarlierSecretIsValidWhileTheFileHasTheSecret(TestTenant testTenant) {
    String earlier =
        TestTokens.signed(
            ServerHome.EARLIER_TOKEN_SECRET,
            TestTokens.claims(testTenant.name(), "viewer")
                .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                .build());

    var _ = as(testTenant, earlier).expectStatus(200);
  }

  @Test
  void aTokenWithoutASignatureIsRejected(TestTenant testTenant) {
    String plain = new PlainJWT(TestTokens.claims(testTenant.name(), "admin").build()).serialize();

    assertThat(as(testTenant, plain).expectStatus(401).detail()).contains("not a signed JWT");
    assertThat(as(testTenant, "nonsense").expectStatus(401).detail()).contains("not a signed JWT");
    assertThat(as(testTenant, "a.b.c").expectStatus(401).detail()).contains("not a signed JWT");
  }

  @Test
  void anExpiredTokenIsRejectedWithItsExpiry(TestTenant testTenant) {
    Instant past = Instant.parse("2026-01-01T00:00:00Z");

    TestResponse testResponse =
        as(testTenant, token(TestTokens.claims(testTenant.name(), "admin").expirationTime(Date.from(past))));

    assertThat(testResponse.expectStatus(401).detail()).isEqualTo("the token expired at " + past);
  }

  @Test
  void aTokenIsNotValidForLongerThanTheServerAllows(TestTenant testTenant) {
    Instant now = Instant.now();
    var claims = TestTokens.claims(testTenant.name(), "admin").expirationTime(Date.from(now.plus(Duration.ofDays(91))));

    assertThat(as(testTenant, token(claims)).expectStatus(401).detail())
        .isEqualTo("the token is valid for too long: expected at most PT2160H from when it is issued");
    as(testTenant, token(claims.expirationTime(Date.from(now.plus(Duration.ofDays(89)))))).expectStatus(200);
  }

  @Test
  void aTokenNamesATimeOfIssueThatIsNotInTheFuture(TestTenant testTenant) {
    Instant later = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofMinutes(5));
    var claims = TestTokens.claims(testTenant.name(), "admin");

    assertThat(as(testTenant, token(claims.issueTime(null))).expectStatus(401).detail())
        .isEqualTo("the token has no time of issue (iat)");
    assertThat(as(testTenant, token(claims.issueTime(Date.from(later)))).expectStatus(401).detail())
        .isEqualTo("the token is issued in the future, at " + later);
  }

  @Test
  void aTokenForAnotherAudienceIsRejectedWhereOneIsConfigured() {
    ServerHome home = new ServerHome();
    Map<String, String> environment = home.environment();
    environment.put("UPLIFT_JWT_AUDIENCE", "uplift");
    environment.put("UPLIFT_JWT_MAX_LIFETIME", "PT2H");
    try (TestServer server = TestServer.of(home, environment)) {
      var claims = TestTokens.claims("*", "admin");

      for (var wrong : List.of(claims.build(), TestTokens.claims("*", "admin").audience("elsewhere").build())) {
        assertThat(list(server, TestTokens.signed(ServerHome.TOKEN_SECRET, wrong)).expectStatus(401).detail())
            .isEqualTo("the token is not for this server: expected aud uplift");
      }
      list(server, token(claims.audience(List.of("other", "uplift")))).expectStatus(200);
      assertThat(
              list(server, token(claims.expirationTime(Date.from(Instant.now().plus(Duration.ofHours(3))))))
                  .expectStatus(401)
                  .detail())
          .contains("at most PT2H");
    }
  }

  private static TestResponse list(TestServer server, String token) {
    return new TestClient(server, Map.of("Authorization", "Bearer " + token)).get("/v1/tenants");
  }

  @Test
  void aTokenNeedsASubjectATenantAndAnExpiry(TestTenant testTenant) {
    var claims = TestTokens.claims(testTenant.name(), "admin");

    assertThat(as(testTenant, token(claims.expirationTime(null))).expectStatus(401).detail()).contains("exp");
    assertThat(as(testTenant, token(TestTokens.claims("", "admin"))).expectStatus(401).detail()).contains("tenant");
    assertThat(as(testTenant, token(TestTokens.claims("x", "admin").subject(null))).expectStatus(401).detail())
        .contains("sub");
    assertThat(as(testTenant, token(TestTokens.claims("x", "admin").subject("corp#ann"))).expectStatus(401).detail())
        .isEqualTo("the token's sub has a #, as only callers of issuers have it");
    assertThat(as(testTenant, token(TestTokens.claims("x", "emperor"))).expectStatus(401).detail())
        .contains("viewer, operator, admin");
    assertThat(
            as(testTenant, token(TestTokens.claims("x", "admin").claim("roles", "admin"))).expectStatus(401).detail())
        .contains("not a signed JWT");
  }

  @Test
  void resourcesOfAnotherTenantAreNotFound(TestTenant testTenant, TestServer server) {
    testTenant.putDevice("gate", "left");
    TestTenant other = server.newTenant();

    for (String path : List.of("", "/devices", "/devices/gate", "/devices/none", "/audit")) {
      TestResponse testResponse = other.admin().get("/v1/tenants/" + testTenant.name() + path).expectStatus(404);
      assertThat(testResponse.detail()).isEqualTo("there is nothing at /v1/tenants/" + testTenant.name() + path);
    }
    other.admin().send("PUT", testTenant.path("devices/gate"), "{}").expectStatus(404);
    other.admin().delete(testTenant.path("devices/gate")).expectStatus(404);
    testTenant.viewer().get(testTenant.path("devices/gate")).expectStatus(200);
  }

  @Test
  void aMissingTenantLooksLikeAnotherTenant(TestTenant testTenant) {
    TestResponse testResponse = testTenant.admin().get("/v1/tenants/nowhere/devices").expectStatus(404);

    assertThat(testResponse.detail()).isEqualTo("there is nothing at /v1/tenants/nowhere/devices");
  }

  @Test
  void tooLowARoleIsRejectedWithTheRequiredOne(TestTenant testTenant) {
    TestResponse testResponse =
        testTenant.operator().send("PUT", testTenant.path("devices/gate"), "{\"hosts\":[\"left\"]}");

    assertThat(testResponse.expectStatus(403).detail())
        .isEqualTo("needs the role admin; operator has viewer, operator");
    assertThat(testTenant.viewer().send("POST", testTenant.path("devices/gate/hold"), "{}").expectStatus(403).detail())
        .contains("needs the role operator");
  }

  @Test
  void eachRoleIncludesTheLowerOnes(TestTenant testTenant) {
    testTenant.putDevice("gate", "left");

    for (TestClient testClient : List.of(testTenant.viewer(), testTenant.operator(), testTenant.admin())) {
      testClient.get(testTenant.path("devices/gate")).expectStatus(200);
    }
    testTenant.admin().send("POST", testTenant.path("devices/gate/hold"), "{\"reason\":\"x\"}").expectStatus(200);
  }

  @Test
  void onlyAnAdminOfAllTenantsCreatesOne(TestTenant testTenant, TestServer server) {
    assertThat(testTenant.admin().send("PUT", "/v1/tenants/" + testTenant.name(), "{}").expectStatus(403).detail())
        .contains("all tenants");
    server.clientWithRole("operator", "*").send("PUT", "/v1/tenants/another", "{}").expectStatus(403);
  }

  @Test
  void aTokenInAQueryOrACookieIsIgnored(TestTenant testTenant) {
    String token = TestTokens.of(testTenant.name(), "admin");

    testTenant.server().anonymousClient().get(testTenant.path("devices?access_token=" + token)).expectStatus(401);
    testTenant
        .server()
        .anonymousClient()
        .withHeader("Cookie", "JWT=" + token)
        .get(testTenant.path("devices"))
        .expectStatus(401);
  }

  private static String token(JWTClaimsSet.Builder claims) {
    return TestTokens.signed(ServerHome.TOKEN_SECRET, claims.build());
  }

  private static TestResponse as(TestTenant testTenant, String token) {
    return new TestClient(testTenant.server(), Map.of("Authorization", "Bearer " + token))
        .get(testTenant.path("devices"));
  }
}
