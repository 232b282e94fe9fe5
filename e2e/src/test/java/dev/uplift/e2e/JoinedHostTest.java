package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.temporaldev.Host;
import dev.uplift.temporaldev.Joined;
import dev.uplift.temporaldev.Stack;
import dev.uplift.temporaldev.WrongClock;
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

/// What becomes of a host that has joined, over TLS with a private authority: it is started, it is
/// somebody else when it joins anew, it takes another key when it is told to, and it never asks its
/// clock.
@Timeout(300)
final class JoinedHostTest {
  private static final Stack STACK = Stack.temporary().secured().open();
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int AWAY = 14;
  private static final String PASSWORD = "secret";
  private static RestClient rest;

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    SimulatedFleet.quick(STACK.server());
    // Its certificate has the name as well as the address.
    String nats = STACK.nats().url().replace("127.0.0.1", "localhost");
    var _ = STACK.server().with("UPLIFT_HOSTS_NATS_URL", nats);
    STACK.start();
    rest = new RestClient(STACK, "acme");
    rest.publish("shopd", "simulated", "2.0", 20);
  }

  @AfterAll
  static void stop() {
    STACK.close();
  }

  private static Host newHost(String name) {
    rest.putDevice(name, name);
    return STACK.host("acme", name).has("shopd", "simulated", Map.of("version", "1.0"));
  }

  private static String token(String name) {
    return rest.call("POST", "devices/" + name + "/hosts/" + name + "/enrolments", Map.of())
        .expect(201)
        .body()
        .path("token")
        .asString();
  }

  private static String key(Host host) throws IOException {
    return Credentials.read(host.credentials()).key().name();
  }

  private static void assertUpgraded(String name) {
    rest.start("u-" + name, name, "shopd", "2.0").expect(201);
    await().atMost(PATIENCE).until(() -> rest.outcome("u-" + name).equals("upgraded"));
  }

  @Test
  void aHostThatJoinsRunsAndWithAnotherKeyWhenItJoinsAnew() throws Exception {
    Host host = newHost("starts");
    try {
      Joined joined = host.joinAndStart(token("starts"));
      assertThat(joined.code()).as(joined.said()).isZero();
      assertThat(joined.said()).contains("the agent runs: process ");
      String before = key(host);
      long agent = agent(host);

      Joined again = host.joinAndStart(token("starts"));

      assertThat(again.code()).as(again.said()).isZero();
      assertThat(again.said()).contains("the agent runs, under the launcher");
      assertThat(key(host)).isNotEqualTo(before);
      assertThat(agent(host)).isNotEqualTo(agent);
      assertUpgraded("starts");
    } finally {
      host.powerOff();
    }
    assertThat(host.agents()).isEmpty();
  }

  private static long agent(Host host) {
    assertThat(host.agents()).hasSize(1);
    return host.agents().values().iterator().next().pid();
  }

  @Test
  void aHostThatIsToTakeAnotherKeyDoesSoWithItsNextTicket() throws Exception {
    Host host = newHost("told").with("renew_s", 1).with("renew_look_s", 1);
    assertThat(host.join(token("told")).code()).isZero();
    host.start();
    String before = key(host);

    rest.call("POST", "hosts/told/credentials/rotate", Map.of()).expect(200, 202, 204);

    await().atMost(PATIENCE).until(() -> !key(host).equals(before));
    assertUpgraded("told");
    assertThat(Files.readString(host.log())).contains("the host has a new key");
    assertThat(rest.get("hosts/told").expect(200).body().path("enrolment").asString(""))
        .isEqualTo("enrolled");
  }

  @Test
  void aBoardWhoseClockSays1970JoinsAndIsUpgradedAndKnowsWhatHadEndedBeforeItWasMade()
      throws Exception {
    WrongClock clock = in1970();
    Host host = clock.on(newHost("board"));
    Joined joined = host.join(token("board"));
    assertThat(joined.code()).as(joined.said()).isZero();
    host.start();

    assertUpgraded("board");

    assertThat(Files.readString(host.log())).contains("1970-01-02T");
    Host careful = clock.on(newHost("careful"));
    try (InputStream in = Files.newInputStream(endedIn2020())) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      HttpsServer old = server(keys);
      try {
        String url = "https://localhost:" + old.getAddress().getPort();
        byte[] authority = keys.getCertificate("own").getEncoded();
        String hash =
            HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(authority));
        Joined refused = careful.join(JoinToken.make(url, "acme", "careful", hash).text());
        assertThat(refused.code()).as(refused.said()).isEqualTo(AWAY);
        assertThat(refused.said()).contains("NotAfter: ");
      } finally {
        old.stop(0);
      }
    }
  }

  private WrongClock in1970() throws Exception {
    Optional<WrongClock> clock = WrongClock.in(folder);
    assumeTrue(clock.isPresent(), "no C compiler on this machine");
    clock.get().isAt(Instant.ofEpochSecond(86_400));
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
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.start();
    return server;
  }
}
