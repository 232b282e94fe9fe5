package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.temporaldev.stack.JoinCommandResult;
import dev.uplift.temporaldev.stack.SkewedClock;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackHost;
import dev.uplift.testservers.TestServers;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The life of a host after joining, over TLS with a private authority: it is started, gets a new identity when it
/// joins again, rotates its key on request, and never relies on its clock.
@Timeout(300)
final class JoinedHostTest {
  private static final Stack STACK = TestServers.stack().tls().open();
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final int AWAY = 14;
  private static final String PASSWORD = "secret";
  private static TestRestClient rest;

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    SimulatedFleet.withShortTimeouts(STACK.server());
    // Its certificate has the name as well as the address.
    String nats = STACK.nats().url().replace("127.0.0.1", "localhost");
    var _ = STACK.server().environment("UPLIFT_ENROLMENT_NATS_URL", nats);
    STACK.start();
    rest = new TestRestClient(STACK, "acme");
    rest.publish("shopd", "simulated", "2.0", 20);
  }

  @AfterAll
  static void stop() {
    STACK.close();
  }

  private static StackHost newHost(String name) {
    rest.putDevice(name, name);
    return STACK.host("acme", name).withPackage("shopd", "simulated", Map.of("version", "1.0"));
  }

  private static String token(String name) {
    return rest.call("POST", "devices/" + name + "/hosts/" + name + "/enrolments", Map.of())
        .expectStatus(201)
        .body()
        .path("token")
        .asString();
  }

  private static String key(StackHost stackHost) throws IOException {
    return Credentials.read(stackHost.credentialsFile()).key().publicKey();
  }

  private static void assertUpgraded(String name) {
    rest.startUpgrade("u-" + name, name, "shopd", "2.0").expectStatus(201);
    await().atMost(TIMEOUT).until(() -> rest.outcome("u-" + name).equals("upgraded"));
  }

  @Test
  void aJoinedHostRunsAndHasAnotherKeyAfterJoiningAgain() throws Exception {
    StackHost stackHost = newHost("starts");
    try {
      JoinCommandResult joinCommandResult = stackHost.joinAndStart(token("starts"));
      assertThat(joinCommandResult.exitCode()).as(joinCommandResult.output()).isZero();
      assertThat(joinCommandResult.output()).contains("the agent runs: process ");
      String before = key(stackHost);
      long agent = agent(stackHost);

      JoinCommandResult again = stackHost.joinAndStart(token("starts"));

      assertThat(again.exitCode()).as(again.output()).isZero();
      assertThat(again.output()).contains("the agent runs, under the launcher");
      assertThat(key(stackHost)).isNotEqualTo(before);
      assertThat(agent(stackHost)).isNotEqualTo(agent);
      assertUpgraded("starts");
    } finally {
      stackHost.powerOff();
    }
    assertThat(stackHost.agents()).isEmpty();
  }

  private static long agent(StackHost stackHost) {
    assertThat(stackHost.agents()).hasSize(1);
    return stackHost.agents().values().iterator().next().pid();
  }

  @Test
  void aHostRotatesItsKeyWithItsNextJwt() throws Exception {
    StackHost stackHost = newHost("told").setting("renew_after_seconds", 1).setting("renew_check_seconds", 1);
    assertThat(stackHost.join(token("told")).exitCode()).isZero();
    stackHost.start();
    String before = key(stackHost);

    rest.call("POST", "hosts/told/credentials/rotate", Map.of()).expectStatus(200, 202, 204);

    await().atMost(TIMEOUT).until(() -> !key(stackHost).equals(before));
    assertUpgraded("told");
    assertThat(Files.readString(stackHost.logFile())).contains("rotated the host's key");
    assertThat(rest.get("hosts/told").expectStatus(200).body().path("enrolment").asString("")).isEqualTo("enrolled");
  }

  @Test
  void aBoardWithAClockIn1970JoinsIsUpgradedAndRejectsExpiredCertificates() throws Exception {
    SkewedClock clock = in1970();
    StackHost stackHost = clock.applyTo(newHost("board"));
    JoinCommandResult joinCommandResult = stackHost.join(token("board"));
    assertThat(joinCommandResult.exitCode()).as(joinCommandResult.output()).isZero();
    stackHost.start();

    assertUpgraded("board");

    assertThat(Files.readString(stackHost.logFile())).contains("1970-01-02T");
    StackHost careful = clock.applyTo(newHost("careful"));
    try (InputStream in = Files.newInputStream(endedIn2020())) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      HttpsServer old = server(keys);
      try {
        String url = "https://localhost:" + old.getAddress().getPort();
        byte[] authority = keys.getCertificate("own").getEncoded();
        String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(authority));
        JoinCommandResult rejected = careful.join(JoinToken.create(url, "acme", "careful", hash).encode());
        assertThat(rejected.exitCode()).as(rejected.output()).isEqualTo(AWAY);
        assertThat(rejected.output()).contains("NotAfter: ");
      } finally {
        old.stop(0);
      }
    }
  }

  private SkewedClock in1970() throws Exception {
    Optional<SkewedClock> clock = SkewedClock.compile(folder);
    assumeTrue(clock.isPresent(), "no C compiler on this machine");
    clock.get().setTo(Instant.ofEpochSecond(86_400));
    return clock.get();
  }

  private Path endedIn2020() throws Exception {
    Path store = folder.resolve("own.p12");
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    line.addAll(List.of("-genkeypair", "-alias", "own", "-keyalg", "EC", "-dname", "CN=old"));
    line.addAll(List.of("-ext", "san=dns:localhost", "-keystore", store.toString()));
    line.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    line.addAll(List.of("-startdate", "2020/01/01", "-validity", "30"));
    Process keytool = new ProcessBuilder(line).inheritIO().start();
    assertThat(keytool.waitFor()).isZero();
    return store;
  }

  private static HttpsServer server(KeyStore keys) throws Exception {
    var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.start();
    return server;
  }
}
