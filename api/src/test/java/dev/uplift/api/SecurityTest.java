package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import dev.uplift.api.server.Answer;
import dev.uplift.api.server.Client;
import dev.uplift.api.server.Home;
import dev.uplift.api.server.SharedServer;
import dev.uplift.api.server.Tenant;
import dev.uplift.api.server.TestServer;
import dev.uplift.api.server.Token;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServer.class)
final class SecurityTest {
  @Test
  void withoutATokenNothingIsSaidButHowToBringOne(Tenant tenant) {
    Answer answer = tenant.server().nobody().get(tenant.path("devices")).is(401);

    assertThat(answer.header("WWW-Authenticate")).contains("Bearer realm=\"uplift\"");
    assertThat(answer.detail()).contains("Authorization: Bearer");
  }

  @Test
  void aTokenOfAnotherSecretCounterfeitsNothing(Tenant tenant) {
    String foreign = Token.signed("x".repeat(40), Token.claims(tenant.name(), "admin").build());

    Answer answer = as(tenant, foreign).is(401);

    assertThat(answer.header("WWW-Authenticate").orElseThrow()).contains("invalid_token");
    assertThat(answer.detail()).contains("not signed by this server's secret");
  }

  @Test
  void aTokenOfTheSecretBeforeIsGoodAsLongAsThatOneIsInTheFile(Tenant tenant) {
    String earlier =
        Token.signed(
            Home.EARLIER_TOKEN_SECRET,
            Token.claims(tenant.name(), "viewer")
                .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                .build());

    var _ = as(tenant, earlier).is(200);
  }

  @Test
  void aTokenWithoutASignatureIsNone(Tenant tenant) {
    String plain = new PlainJWT(Token.claims(tenant.name(), "admin").build()).serialize();

    assertThat(as(tenant, plain).is(401).detail()).contains("not a signed JWT");
    assertThat(as(tenant, "nonsense").is(401).detail()).contains("not a signed JWT");
    assertThat(as(tenant, "a.b.c").is(401).detail()).contains("not a signed JWT");
  }

  @Test
  void aTokenThatExpiredSaysWhen(Tenant tenant) {
    Instant past = Instant.parse("2026-01-01T00:00:00Z");

    Answer answer =
        as(tenant, token(Token.claims(tenant.name(), "admin").expirationTime(Date.from(past))));

    assertThat(answer.is(401).detail()).isEqualTo("the token expired at " + past);
  }

  @Test
  void aTokenMustSayWhoseItIsAndForHowLong(Tenant tenant) {
    var claims = Token.claims(tenant.name(), "admin");

    assertThat(as(tenant, token(claims.expirationTime(null))).is(401).detail()).contains("exp");
    assertThat(as(tenant, token(Token.claims("", "admin"))).is(401).detail()).contains("tenant");
    assertThat(as(tenant, token(Token.claims("x", "admin").subject(null))).is(401).detail())
        .contains("sub");
    assertThat(as(tenant, token(Token.claims("x", "emperor"))).is(401).detail())
        .contains("viewer, operator, admin");
    assertThat(
            as(tenant, token(Token.claims("x", "admin").claim("roles", "admin"))).is(401).detail())
        .contains("not a signed JWT");
  }

  @Test
  void anotherTenantsThingsAreNotThere(Tenant tenant, TestServer server) {
    tenant.device("gate", "left");
    Tenant other = server.newTenant();

    for (String path : List.of("", "/devices", "/devices/gate", "/devices/none", "/audit")) {
      Answer answer = other.admin().get("/v1/tenants/" + tenant.name() + path).is(404);
      assertThat(answer.detail())
          .isEqualTo("there is nothing at /v1/tenants/" + tenant.name() + path);
    }
    other.admin().send("PUT", tenant.path("devices/gate"), "{}").is(404);
    other.admin().delete(tenant.path("devices/gate")).is(404);
    tenant.viewer().get(tenant.path("devices/gate")).is(200);
  }

  @Test
  void aTenantThatDoesNotExistLooksTheSameToThoseOfAnother(Tenant tenant) {
    Answer answer = tenant.admin().get("/v1/tenants/nowhere/devices").is(404);

    assertThat(answer.detail()).isEqualTo("there is nothing at /v1/tenants/nowhere/devices");
  }

  @Test
  void aRoleThatIsTooLowSaysWhichIsNeeded(Tenant tenant) {
    Answer answer =
        tenant.operator().send("PUT", tenant.path("devices/gate"), "{\"hosts\":[\"left\"]}");

    assertThat(answer.is(403).detail())
        .isEqualTo("needs the role admin; operator has viewer, operator");
    assertThat(
            tenant.viewer().send("POST", tenant.path("devices/gate/hold"), "{}").is(403).detail())
        .contains("needs the role operator");
  }

  @Test
  void eachRoleMayDoWhatTheLowerOnesMay(Tenant tenant) {
    tenant.device("gate", "left");

    for (Client client : List.of(tenant.viewer(), tenant.operator(), tenant.admin())) {
      client.get(tenant.path("devices/gate")).is(200);
    }
    tenant.admin().send("POST", tenant.path("devices/gate/hold"), "{\"reason\":\"x\"}").is(200);
  }

  @Test
  void onlyAnAdminOfAllTenantsMakesOne(Tenant tenant, TestServer server) {
    assertThat(tenant.admin().send("PUT", "/v1/tenants/" + tenant.name(), "{}").is(403).detail())
        .contains("all tenants");
    server.anyone("operator", "*").send("PUT", "/v1/tenants/another", "{}").is(403);
  }

  @Test
  void aTokenInAQueryOrACookieIsNone(Tenant tenant) {
    String token = Token.of(tenant.name(), "admin");

    tenant.server().nobody().get(tenant.path("devices?access_token=" + token)).is(401);
    tenant.server().nobody().with("Cookie", "JWT=" + token).get(tenant.path("devices")).is(401);
  }

  private static String token(JWTClaimsSet.Builder claims) {
    return Token.signed(Home.TOKEN_SECRET, claims.build());
  }

  private static Answer as(Tenant tenant, String token) {
    return new Client(tenant.server(), Map.of("Authorization", "Bearer " + token))
        .get(tenant.path("devices"));
  }
}
