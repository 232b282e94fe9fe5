package dev.uplift.api.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTParser;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTokens;
import dev.uplift.cli.Main;
import dev.uplift.cli.rest.CliException;
import dev.uplift.testservers.KeycloakServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The whole way, from the login at a real Keycloak to the response.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
// The first start installs Keycloak.
@Timeout(600)
final class KeycloakTokensTest {
  private static final String DRAFT =
      """
      {"draft": true, "package": "shopd", "version": "2.0", "selection": "true", "everything": true,
       "waves": [{"count": 1, "gate": "approval"}, {"rest": true}]}
      """;

  private final KeycloakServer keycloak = KeycloakServer.start();
  private final TestServer server = server();

  private TestServer server() {
    ServerHome home = new ServerHome();
    Map<String, String> environment = home.environment();
    Path file = Path.of(home.path("issuers.json"));
    try {
      Files.writeString(file, issuers(keycloak.issuer()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    environment.put("UPLIFT_OIDC_ISSUERS_FILE", file.toString());
    return TestServer.of(home, environment);
  }

  private static String issuers(URI issuer) {
    return """
    [{"name": "corp", "issuer": "%s", "audience": "uplift", "clock_skew": "PT1S", "name_claim": "preferred_username",
      "tenant_claim": "tenant", "roles_claim": "realm_access.roles",
      "roles": {"fleet-operator": "operator", "fleet-admin": "admin"}}]
    """
        .formatted(issuer);
  }

  @BeforeAll
  void createTenants() {
    for (String tenant : new String[] {"acme", "globex"}) {
      server.clientWithRole("admin", "*").send("PUT", "/v1/tenants/" + tenant, "{}").expectStatus(201);
    }
  }

  @AfterAll
  void close() {
    server.close();
    keycloak.close();
  }

  @Test
  void aTokenOfTheIssuerHasItsTenantAndTheMappedRole() {
    TestClient ann = client(keycloak.accessToken("uplift-cli", "ann"));

    ann.get("/v1/tenants/acme/devices").expectStatus(200);
    assertThat(ann.send("PUT", "/v1/tenants/acme/devices/gate", "{\"hosts\":[\"left\"]}").expectStatus(403).detail())
        .isEqualTo("needs the role admin; corp#ann has viewer, operator");
    ann.get("/v1/tenants/globex/devices").expectStatus(404);
  }

  @Test
  void thePersonWhoCreatedARolloutWithATokenDoesNotApproveItWithALogin() {
    server.storeRoot("acme");
    TestClient admin = server.clientWithRole("admin", "acme");
    admin.send("POST", "/v1/tenants/acme/releases", server.home().release("shopd", "2.0", 20)).expectStatus(201);
    admin.send("PUT", "/v1/tenants/acme/devices/d0", "{\"hosts\":[\"h0\"]}").expectStatus(201);
    client(TestTokens.signed(ServerHome.TOKEN_SECRET, TestTokens.claims("acme", "operator").subject("ann").build()))
        .withHeader("Idempotency-Key", "north")
        .send("POST", "/v1/tenants/acme/rollouts", DRAFT)
        .expectStatus(201);

    assertThat(approve("ann").expectStatus(403).detail())
        .isEqualTo("corp#ann created, changed or started this rollout; another person has to approve it");
    assertThat(approve("dan").expectStatus(409).detail()).doesNotContain("another person");
  }

  private TestResponse approve(String user) {
    return client(keycloak.accessToken("uplift-cli", user))
        .send("POST", "/v1/tenants/acme/rollouts/north/approve", "{\"reason\":\"looks well\",\"revision\":1}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--scope=openid", "--browser"})
  void aPersonLogsInAndOutWithTheCommandLine(String how, @TempDir Path folder) throws Exception {
    Path file = folder.resolve("login.json");
    String[] login = {"login", "--url=" + server.uri(), "--issuer=" + keycloak.issuer(), "--file=" + file, how};
    var instructions = new PipedReader();
    try (var person = new BufferedReader(instructions);
        var err = new PrintWriter(new PipedWriter(instructions), true);
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Integer> result = executor.submit(() -> Main.commandLine().setErr(err).execute(login));
      keycloak.logIn(address(person), "ann");
      assertThat(result.get(1, TimeUnit.MINUTES)).isZero();
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");

    expire(file);
    String before = Files.readString(file);
    assertThat(listDevices(file)).isZero();
    assertThat(Files.readString(file)).as("refreshed").isNotEqualTo(before);

    Path copy = Files.copy(file, folder.resolve("copy.json"), StandardCopyOption.COPY_ATTRIBUTES);
    assertThat(Main.commandLine().execute("logout", "--url=" + server.uri(), "--file=" + file)).isZero();
    assertThat(file).doesNotExist();
    expire(copy);
    assertThat(listDevices(copy)).as("the issuer has ended the session").isEqualTo(CliException.FAILED);
  }

  private static URI address(BufferedReader person) throws IOException {
    for (String line = person.readLine(); line != null; line = person.readLine()) {
      int at = line.indexOf("http://");
      if (at >= 0) {
        return URI.create(line.substring(at).strip());
      }
    }
    throw new AssertionError("no address");
  }

  private static void expire(Path login) throws IOException {
    String text = Files.readString(login);
    Files.writeString(
        login, text.replaceFirst("\"expires_at\" : \"[^\"]+\"", "\"expires_at\" : \"2026-01-01T00:00:00Z\""));
  }

  private int listDevices(Path login) {
    return Main.commandLine()
        .execute("device", "list", "--url=" + server.uri(), "--tenant=acme", "--token-file=" + login);
  }

  @Test
  void ownTokensAreAcceptedBesideThoseOfTheIssuer() {
    server.clientWithRole("viewer", "acme").get("/v1/tenants/acme/devices").expectStatus(200);
  }

  @Test
  void aTokenForAnotherProgramIsRefused() {
    assertRefused(
        keycloak.accessToken("another-program", "ann"), "the token is not for this server: expected aud uplift");
  }

  @Test
  void rolesWithoutAMeaningAreNone() {
    assertRefused(keycloak.accessToken("uplift-cli", "bob"), "the token has none of the roles viewer, operator, admin");
  }

  @Test
  void noClaimNamesAllTenants() {
    assertRefused(
        keycloak.accessToken("uplift-cli", "eve"), "the token's tenant is *, which no entry of tenants permits");
  }

  @Test
  void anExpiredTokenIsRefused() {
    TestClient ann = client(keycloak.accessToken("short-lived", "ann"));
    await("the token expires")
        .atMost(Duration.ofSeconds(30))
        .until(() -> ann.get("/v1/tenants/acme/devices").status() == 401);

    assertThat(ann.get("/v1/tenants/acme/devices").detail()).startsWith("the token expired at ");
  }

  @Test
  void aTokenWithoutTheSignatureOfTheIssuerIsRefused() throws Exception {
    SignedJWT genuine = SignedJWT.parse(keycloak.accessToken("uplift-cli", "ann"));
    String changed = genuine.getParsedParts()[1].decodeToString().replace("\"acme\"", "\"globex\"");
    String forged = genuine.getParsedParts()[0] + "." + Base64URL.encode(changed) + "." + genuine.getParsedParts()[2];
    assertRefused(forged, "the token is not signed with a key of its issuer " + keycloak.issuer());

    assertRefused(new PlainJWT(genuine.getJWTClaimsSet()).serialize(), "the token is not a signed JWT");
    for (JWSAlgorithm symmetric : new JWSAlgorithm[] {JWSAlgorithm.HS256, JWSAlgorithm.HS384}) {
      var withSecret =
          new SignedJWT(
              new JWSHeader.Builder(symmetric).keyID(genuine.getHeader().getKeyID()).build(),
              genuine.getJWTClaimsSet());
      // What is public of the issuer, as an attacker would take it for a secret.
      withSecret.sign(new MACSigner("public".repeat(20)));
      assertThat(list(withSecret.serialize()).expectStatus(401).detail()).containsAnyOf("HS256", "algorithm");
    }
  }

  @Test
  void aRevokedTokenOfTheIssuerIsRefused() throws Exception {
    String token = keycloak.accessToken("uplift-cli", "ann");
    list(token).expectStatus(200);
    String id = JWTParser.parse(token).getJWTClaimsSet().getJWTID();

    server
        .clientWithRole("admin", "acme")
        .send("POST", "/v1/tenants/acme/token-revocations", "{\"token_id\":\"" + id + "\"}")
        .expectStatus(200);

    assertRefused(token, "the token was revoked");
    list(keycloak.accessToken("uplift-cli", "ann")).expectStatus(200);
  }

  @Test
  @Order(Integer.MAX_VALUE - 1)
  void anotherKeyOfTheIssuerIsFoundAndTheEarlierOneStaysValid() throws Exception {
    String earlier = keycloak.accessToken("uplift-cli", "ann");
    keycloak.rotateKey();
    String later = keycloak.accessToken("uplift-cli", "ann");
    assertThat(SignedJWT.parse(later).getHeader().getKeyID())
        .isNotEqualTo(SignedJWT.parse(earlier).getHeader().getKeyID());

    await("the key is read").atMost(Duration.ofSeconds(30)).until(() -> list(later).status() == 200);
    list(earlier).expectStatus(200);
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void whileTheIssuerIsUnavailableKnownKeysSuffice() {
    String token = keycloak.accessToken("uplift-cli", "ann");
    list(token).expectStatus(200);
    keycloak.kill();

    list(token).expectStatus(200);
    try (TestServer another = server()) {
      TestResponse unknown = new TestClient(another, bearer(token)).get("/v1/tenants/acme/devices").expectStatus(503);
      assertThat(unknown.detail())
          .startsWith("the keys of the issuer " + keycloak.issuer() + " cannot be read")
          .endsWith("; nothing was done, try again");
      assertThat(unknown.header("Retry-After")).contains("5");
    }
  }

  private void assertRefused(String token, String reason) {
    assertThat(list(token).expectStatus(401).detail()).isEqualTo(reason);
  }

  private TestResponse list(String token) {
    return client(token).get("/v1/tenants/acme/devices");
  }

  private TestClient client(String token) {
    return new TestClient(server, bearer(token));
  }

  private static Map<String, String> bearer(String token) {
    return Map.of("Authorization", "Bearer " + token);
  }
}
