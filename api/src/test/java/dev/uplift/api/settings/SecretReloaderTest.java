package dev.uplift.api.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.SseClient;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTokens;
import dev.uplift.services.scheduling.FileWatcher;
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
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

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
      client(server, ServerHome.TOKEN_SECRET).get("/v1/tenants").expectStatus(200);
    } finally {
      logger.detachAppender(appender);
      logger.setLevel(null);
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
