package dev.uplift.api.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.uplift.api.testing.LocalIssuer;
import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.SseClient;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTokens;
import dev.uplift.cli.nats.NatsKeyFolder;
import dev.uplift.cli.nats.RotatableNatsKey;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.services.artifacts.ArtifactUrlSigner;
import dev.uplift.services.enrolment.EnrolmentService;
import dev.uplift.services.scheduling.FileWatcher;
import dev.uplift.services.webhook.SecretEncryption;
import dev.uplift.temporaldev.secrets.TlsCertificates;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.PostgresServer;
import dev.uplift.testservers.TestServers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/// Secrets are exchanged in the files of a server that runs.
final class SecretReloaderTest {
  private static final String NEXT = "next-tokens-0123456789-0123456789-01234567";

  private final ServerHome home = new ServerHome();
  private final Map<String, String> environment = home.environment();

  @Test
  void bearerTokensAreSignedWithTheNewSecretAndNoLongerWithTheOld() throws Exception {
    Path file = Path.of(home.path("tokens.secret"));
    try (TestServer server = TestServer.of(home, environment)) {
      TestClient old = client(server, ServerHome.TOKEN_SECRET);
      TestClient next = client(server, NEXT);
      old.send("PUT", "/v1/tenants/acme", "{}").expectStatus(201);
      old.send("PUT", "/v1/tenants/acme/devices/gate", "{\"hosts\":[\"left\"]}").expectStatus(201);
      next.get("/v1/tenants").expectStatus(401);

      Files.writeString(file, ServerHome.TOKEN_SECRET + "\n" + NEXT + "\n");
      awaitSoon("both are valid", () -> next.get("/v1/tenants").status() == 200);
      old.get("/v1/tenants").expectStatus(200);

      try (SseClient oldEvents = new SseClient(old, "/v1/tenants/acme/events");
          SseClient nextEvents = new SseClient(next, "/v1/tenants/acme/events")) {
        assertThat(oldEvents.next().name()).isEqualTo("position");
        assertThat(nextEvents.next().name()).isEqualTo("position");

        Files.writeString(file, NEXT + "\n");
        awaitSoon("the old one has ended", () -> old.get("/v1/tenants").status() == 401);

        assertThat(oldEvents.remaining()).as("until the stream has ended").isEmpty();
        next.send("POST", "/v1/tenants/acme/devices/gate/hold", "{\"reason\":\"fair\"}").expectStatus(200);
        assertThat(nextEvents.next().name()).as("on a stream that goes on").isEqualTo("device.held");
      }
    }
  }

  @Test
  void aSecretThatCannotBeUsedChangesNothing() throws Exception {
    Path file = Path.of(home.path("tokens.secret"));
    Queue<String> lines = new ConcurrentLinkedQueue<>();
    var appender = appender(lines);
    Logger logger = (Logger) LoggerFactory.getLogger(FileWatcher.class);
    logger.setLevel(Level.WARN);
    logger.addAppender(appender);
    try (TestServer server = TestServer.of(home, environment)) {
      Files.writeString(file, "short\n");

      awaitSoon("logged", () -> lines.stream().anyMatch(line -> line.contains("expected a token secret of at least")));
      TestClient admin = client(server, ServerHome.TOKEN_SECRET);
      admin.get("/v1/tenants").expectStatus(200);
      assertThat(secretFindings(admin))
          .singleElement()
          .satisfies(finding -> {
            assertThat(finding.path("severity").asString()).isEqualTo("warning");
            assertThat(finding.path("text").asString())
                .startsWith("secret of bearer tokens: ")
                .contains("expected a token secret of at least")
                .doesNotContain("short");
            assertThat(finding.path("advice").asString()).isEqualTo("mend " + file);
          });

      Files.writeString(file, ServerHome.TOKEN_SECRET + "\n" + NEXT + "\n");
      awaitSoon("mended", () -> isMended(admin));
    } finally {
      logger.detachAppender(appender);
      logger.setLevel(null);
    }
  }

  private static boolean isMended(TestClient admin) {
    return secretFindings(admin).getFirst().path("severity").asString().equals("ok");
  }

  private static List<JsonNode> secretFindings(TestClient admin) {
    return admin
        .get("/v1/diagnosis")
        .expectStatus(200)
        .json()
        .path("findings")
        .valueStream()
        .filter(finding -> finding.path("part").asString().equals("secrets"))
        .toList();
  }

  @Test
  void artifactUrlsAreSignedWithTheNewSecretAndNoLongerWithTheOld() throws Exception {
    Path file = Path.of(environment.get("UPLIFT_ARTIFACTS_SECRET_FILE"));
    String next = "next-artifacts-0123456789";
    String oldUrl = artifactUrl(Files.readString(file));
    String nextUrl = artifactUrl(next);
    try (TestServer server = TestServer.of(home, environment)) {
      TestClient host = server.anonymousClient();
      host.get(oldUrl).expectStatus(404);
      host.get(nextUrl).expectStatus(403);

      Files.writeString(file, next + "\n");

      awaitSoon("the new one is valid", () -> host.get(nextUrl).status() == 404);
      host.get(oldUrl).expectStatus(403);
      String encrypted = new SecretEncryption(next).encrypt("acme/chat", new byte[] {1});
      awaitSoon(
          "secrets of webhooks are read by it",
          () -> server.bean(SecretEncryption.class).isCurrent("acme/chat", encrypted));
    }
  }

  /// Returns the URL of an artifact that is not there, without the server.
  private static String artifactUrl(String secret) {
    Instant expires = Instant.now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS);
    return new ArtifactUrlSigner("", secret).sign("acme", new HostId("left"), "ab".repeat(32), expires);
  }

  @Test
  void tokensAreThoseOfTheIssuersInTheNewListAndMeanWhatItSays() throws Exception {
    Path file = Path.of(home.path("issuers.json"));
    try (var issuer = new LocalIssuer()) {
      Files.writeString(file, issuer.entry("uplift", "viewer"));
      environment.put("UPLIFT_OIDC_ISSUERS_FILE", file.toString());
      try (TestServer server = TestServer.of(home, environment)) {
        client(server, ServerHome.TOKEN_SECRET).send("PUT", "/v1/tenants/acme", "{}").expectStatus(201);
        TestClient first = issuer.client(server, "uplift");
        TestClient other = issuer.client(server, "fleet");
        awaitSoon("accepted", () -> first.get("/v1/tenants/acme/devices").status() == 200);
        first.send("PUT", "/v1/tenants/acme/devices/gate", "{\"hosts\":[\"left\"]}").expectStatus(403);
        other.get("/v1/tenants/acme/devices").expectStatus(401);
        try (SseClient events = new SseClient(first, "/v1/tenants/acme/events")) {
          assertThat(events.next().name()).isEqualTo("position");

          Files.writeString(file, issuer.entry("fleet", "admin"));
          awaitSoon("other ones", () -> first.get("/v1/tenants/acme/devices").status() == 401);

          other.send("PUT", "/v1/tenants/acme/devices/gate", "{\"hosts\":[\"left\"]}").expectStatus(201);
          assertThat(events.remaining()).as("until the stream has ended").isEmpty();
        }
      }
    }
  }

  private static AppenderBase<ILoggingEvent> appender(Queue<String> lines) {
    var appender =
        new AppenderBase<ILoggingEvent>() {
          @Override
          protected void append(ILoggingEvent event) {
            lines.add(event.getFormattedMessage());
          }
        };
    appender.start();
    return appender;
  }

  @Test
  void furtherConnectionsToTheDatabaseHaveTheNewPassword() throws Exception {
    Path file = Files.writeString(Path.of(home.path("database.password")), "one\n");
    try (PostgresServer postgres = TestServers.postgres()) {
      postgres.createRoleWithPassword("fleet", "one");
      environment.put("UPLIFT_DATABASE_URL", postgres.url("fleet"));
      environment.put("UPLIFT_DATABASE_USER", "fleet");
      environment.put("UPLIFT_DATABASE_PASSWORD_FILE", file.toString());
      environment.put("UPLIFT_DATABASE_CONNECTION_TIMEOUT", "PT1S");
      try (TestServer server = TestServer.of(home, environment)) {
        TestClient admin = client(server, ServerHome.TOKEN_SECRET);
        admin.get("/v1/tenants").expectStatus(200);

        postgres.changePassword("fleet", "two");
        postgres.disconnect("fleet");
        awaitSoon("refused", () -> admin.get("/v1/tenants").status() == 503);

        Files.writeString(file, "two\n");
        awaitSoon("accepted", () -> admin.get("/v1/tenants").status() == 200);
      }
    }
  }

  @Test
  void callsToTemporalComeWithTheNewApiKeyAndTheNewCertificate() throws Exception {
    Path key = Files.writeString(Path.of(home.path("temporal.key")), "key-1\n");
    Path chain = Path.of(home.path("tls.crt"));
    Path chainKey = Path.of(home.path("tls.key"));
    try (Stack stack = TestServers.stack().open()) {
      TlsCertificates first = stack.secrets().certificates();
      TlsCertificates next = first.prepareNext();
      Files.copy(first.serverChain(), chain);
      Files.copy(first.serverKey(), chainKey);
      try (var temporal = new RecordingTemporalServer(first)) {
        environment.put("UPLIFT_TEMPORAL_ADDRESS", temporal.address());
        environment.put("UPLIFT_TEMPORAL_CA_FILE", first.caCertificate().toString());
        environment.put("UPLIFT_TEMPORAL_CERTIFICATE_FILE", chain.toString());
        environment.put("UPLIFT_TEMPORAL_KEY_FILE", chainKey.toString());
        environment.put("UPLIFT_TEMPORAL_API_KEY_FILE", key.toString());
        try (TestServer _ = TestServer.of(home, environment)) {
          awaitSoon("the first key", () -> temporal.authorizations().equals(Set.of("Bearer key-1")));
          assertThat(temporal.certificates()).containsExactly(certificate(first));

          Files.writeString(key, "key-2\n");
          awaitSoon("the next key", () -> temporal.authorizations().contains("Bearer key-2"));

          Files.copy(next.serverChain(), chain, StandardCopyOption.REPLACE_EXISTING);
          Files.copy(next.serverKey(), chainKey, StandardCopyOption.REPLACE_EXISTING);
          awaitSoon("the next certificate", () -> temporal.certificates().contains(certificate(next)));
        }
      }
    }
  }

  @Test
  void keysOfHostsAreExchangedWithTheirClaimsAndNotWithoutThem() throws Exception {
    Path folder = Files.createDirectories(Path.of(home.path("enrolment")));
    try (Stack stack = TestServers.stack().open()) {
      stack.nats().start();
      NatsKeyFolder keys = stack.nats().operator().keyFolder();
      for (String name : List.of("hosts-signing.nk", "operator-signing.nk", "devices.jwt", "system.creds")) {
        copy(keys, name, folder);
      }
      environment.put("UPLIFT_NATS_URL", stack.nats().url());
      environment.put("UPLIFT_NATS_CREDENTIALS_FILE", keys.serverCredentials().toString());
      environment.put("UPLIFT_ENROLMENT_KEYS_FOLDER", folder.toString());
      try (TestServer server = TestServer.of(home, environment)) {
        TestClient admin = client(server, ServerHome.TOKEN_SECRET);
        String before = hostSigningKey(server);

        keys.rotate(RotatableNatsKey.HOSTS_SIGNING);
        copy(keys, "hosts-signing.nk", folder);
        awaitSoon(
            "found",
            () ->
                secretFindings(admin)
                    .getFirst()
                    .path("text")
                    .asString()
                    .contains("expected hosts-signing.nk to be one of the signing keys in devices.jwt"));
        assertThat(hostSigningKey(server)).isEqualTo(before);

        copy(keys, "devices.jwt", folder);
        awaitSoon("in use", () -> !hostSigningKey(server).equals(before));
        awaitSoon("mended", () -> isMended(admin));
        assertThat(hostSigningKey(server))
            .isEqualTo(Nkey.fromSeed(Files.readString(folder.resolve("hosts-signing.nk"))).publicKey());
      }
    }
  }

  @Test
  void filesForNatsThatCannotBeUsedAreFound() throws Exception {
    Path credentials = Path.of(home.path("server.creds"));
    Path authorities = Path.of(home.path("nats-ca.pem"));
    try (Stack stack = TestServers.stack().tls().open()) {
      stack.nats().start();
      Files.copy(stack.nats().operator().serverCredentials(), credentials);
      Files.copy(stack.secrets().certificates().caCertificate(), authorities);
      environment.put("UPLIFT_NATS_URL", stack.nats().url());
      environment.put("UPLIFT_NATS_CREDENTIALS_FILE", credentials.toString());
      environment.put("UPLIFT_NATS_CA_FILE", authorities.toString());
      // Its accounts are those of another NATS.
      environment.remove("UPLIFT_ENROLMENT_KEYS_FOLDER");
      try (TestServer server = TestServer.of(home, environment)) {
        TestClient admin = client(server, ServerHome.TOKEN_SECRET);
        for (Path file : List.of(authorities, credentials)) {
          String whole = Files.readString(file);
          Files.writeString(file, "none\n");

          awaitSoon("found", () -> !isMended(admin));
          assertThat(secretFindings(admin))
              .singleElement()
              .satisfies(finding -> {
                assertThat(finding.path("text").asString())
                    .contains("for NATS: what its file has cannot be used, so the one before stays in use");
                assertThat(finding.path("advice").asString()).isEqualTo("mend " + file);
              });

          Files.writeString(file, whole);
          awaitSoon("mended", () -> isMended(admin));
        }
      }
    }
  }

  private static void copy(NatsKeyFolder keys, String name, Path folder) throws IOException {
    Files.copy(keys.enrolmentFolder().resolve(name), folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }

  private static String hostSigningKey(TestServer server) {
    return server.bean(EnrolmentService.class).settings().hostSigningKey().publicKey();
  }

  private static Certificate certificate(TlsCertificates certificates) throws IOException, CertificateException {
    try (InputStream in = Files.newInputStream(certificates.serverChain())) {
      return CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  /// Longer than the server takes to look at its files twice, on a busy machine.
  private static void awaitSoon(String what, Callable<Boolean> met) {
    await(what).atMost(Duration.ofMinutes(2)).until(met);
  }

  private static TestClient client(TestServer server, String secret) {
    String token = TestTokens.signed(secret, TestTokens.claims("*", "admin").build());
    return new TestClient(server, Map.of("Authorization", "Bearer " + token));
  }
}
