package dev.uplift.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.protocol.nats.Ticket;
import dev.uplift.protocol.nats.Tickets;
import dev.uplift.temporaldev.Certificates;
import dev.uplift.temporaldev.Host;
import dev.uplift.temporaldev.Joined;
import dev.uplift.temporaldev.NatsKey;
import dev.uplift.temporaldev.NatsKeys;
import dev.uplift.temporaldev.Stack;
import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Keys of NATS, and who vouches for servers, are exchanged while hosts work: as `uplift nats` and
/// docs/enrolment.md have it, on real servers, with real agents that are never started anew.
@Timeout(300)
final class NatsRotationTest {
  private static final Stack STACK = Stack.temporary().secured().open();
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static RestClient rest;

  @BeforeAll
  static void start() {
    SimulatedFleet.quick(STACK.server());
    STACK.start();
    rest = new RestClient(STACK, "acme");
    rest.publish("shopd", "simulated", "2.0", 20, Map.of("upgrade_ms", "8000"));
    rest.publish("shopd", "simulated", "3.0", 30);
  }

  @AfterAll
  static void stop() {
    STACK.close();
  }

  private static Host joined(String name) {
    rest.putDevice(name, name);
    Host host = STACK.host("acme", name).has("shopd", "simulated", Map.of("version", "1.0"));
    Joined joined = host.join(token(name));
    assertThat(joined.code()).as(joined.said()).isZero();
    host.start();
    return host;
  }

  private static String token(String name) {
    return rest.call("POST", "devices/" + name + "/hosts/" + name + "/enrolments", Map.of())
        .expect(201)
        .body()
        .path("token")
        .asString();
  }

  private static void upgraded(String name, String version) {
    String upgrade = "u-" + name + "-" + version.charAt(0);
    rest.start(upgrade, name, "shopd", version).expect(201);
    await().atMost(PATIENCE).until(() -> rest.outcome(upgrade).equals("upgraded"));
  }

  private static void restartServer() {
    STACK.server().stop();
    STACK.server().start();
  }

  private static void restartNats() {
    STACK.nats().stop();
    STACK.nats().start();
  }

  private static void renewed(Host host) {
    Joined rotated = host.rotate();
    assertThat(rotated.code()).as(rotated.said()).isZero();
  }

  @Test
  void everyKeyOfNatsIsExchangedAndUpgradesGoOn() throws Exception {
    Host host = joined("steady");
    long agent = agent(host);
    NatsKeys keys = STACK.nats().realm().keys();
    Credentials server = Credentials.read(keys.server());
    Credentials system = Credentials.read(keys.enrolment().resolve("system.creds"));
    Nkey hosts = key(keys, NatsKey.HOSTS_SIGNING);
    Nkey operator = key(keys, NatsKey.OPERATOR_SIGNING);
    rest.start("u-during", "steady", "shopd", "2.0").expect(201);

    for (NatsKey each : NatsKey.values()) {
      keys.rotate(each);
    }
    restartNats();
    restartServer();

    // The old ones are good still, and the new ones are, too.
    for (Credentials each :
        new Credentials[] {
          server,
          system,
          Credentials.read(keys.server()),
          ghost(keys, hosts),
          ghost(keys, key(keys, NatsKey.HOSTS_SIGNING))
        }) {
      await(each.key().name()).atMost(PATIENCE).until(() -> isLetIn(each));
    }
    await().atMost(PATIENCE).until(() -> rest.outcome("u-during").equals("upgraded"));
    renewed(host);

    for (NatsKey each : NatsKey.values()) {
      keys.retire(each);
    }
    restartServer();
    for (Credentials each : new Credentials[] {server, ghost(keys, hosts), system}) {
      await(each.key().name()).atMost(PATIENCE).until(() -> !isLetIn(each));
    }
    restartNats();

    Credentials now = Credentials.read(keys.enrolment().resolve("system.creds"));
    tell(now, forged(keys, operator, hosts));
    assertThat(isLetIn(ghost(keys, hosts))).isFalse();
    upgraded("steady", "3.0");
    assertThat(agent(host)).isEqualTo(agent);
  }

  private static Nkey key(NatsKeys keys, NatsKey which) throws IOException {
    return Nkey.ofSeed(Files.readString(keys.enrolment().resolve(which + ".nk")));
  }

  /// What a thief of the key makes himself.
  private static Credentials ghost(NatsKeys keys, Nkey hosts) {
    Nkey own = Nkey.generate(Nkey.Kind.USER);
    String ticket =
        new Tickets(keys.account("devices"), Instant.now())
            .host(own.name(), "acme", "ghost", Instant.now().plusSeconds(3600))
            .signedBy(hosts);
    return new Credentials(ticket, own);
  }

  /// What a thief of both keys would have NATS take them back with, had he the credentials for
  /// that.
  private static String forged(NatsKeys keys, Nkey operator, Nkey hosts) throws IOException {
    String genuine = Files.readString(keys.enrolment().resolve("devices.jwt"));
    String claims =
        new String(Ticket.claims(genuine), UTF_8)
            .replace(key(keys, NatsKey.OPERATOR_SIGNING).name(), operator.name())
            .replace(key(keys, NatsKey.HOSTS_SIGNING).name(), hosts.name());
    return Ticket.sign(claims.getBytes(UTF_8), operator);
  }

  private static boolean isLetIn(Credentials who) throws InterruptedException {
    try {
      login(who).close();
      return true;
    } catch (IOException | GeneralSecurityException _) {
      return false;
    }
  }

  private static void tell(Credentials who, String claims) throws Exception {
    Connection connection = login(who);
    try {
      assertThat(
              connection.request(
                  "$SYS.REQ.CLAIMS.UPDATE", claims.getBytes(UTF_8), Duration.ofSeconds(10)))
          .isNotNull();
    } finally {
      connection.close();
    }
  }

  private static Connection login(Credentials who)
      throws IOException, GeneralSecurityException, InterruptedException {
    return Nats.connect(
        Options.builder()
            .server(STACK.nats().url())
            .sslContext(trusting(STACK.secrets().certificates().authority()))
            .authHandler(
                Nats.staticCredentials(who.jwt().toCharArray(), who.key().seed().toCharArray()))
            .errorListener(new ErrorListener() {})
            .noReconnect()
            .build());
  }

  private static SSLContext trusting(Path pem) throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(pem)) {
      trusted.setCertificateEntry(
          "own", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  @Test
  void anotherAuthorityReachesHostsBeforeServersShowIt() throws Exception {
    Host host = joined("trusting");
    long agent = agent(host);
    Certificates certificates = STACK.secrets().certificates();
    Path both = STACK.folder().resolve("both.pem");
    String before = Files.readString(certificates.authority());
    String next = Files.readString(certificates.next().authority());

    believe(both, before + next);
    renewed(host);
    assertThat(host.credentials().resolveSibling("ca.pem")).hasContent(before + next);

    certificates.exchange();
    // The one that servers show stands first: new tokens name it.
    believe(both, next + before);
    restartNats();
    upgraded("trusting", "3.0");

    assertThat(agent(host)).isEqualTo(agent);
    assertThat(joined("late").credentials().resolveSibling("ca.pem")).hasContent(next + before);
  }

  private static void believe(Path file, String pem) throws IOException {
    Files.writeString(file, pem);
    STACK
        .server()
        .with("UPLIFT_HOSTS_CA_FILE", file.toString())
        .with("UPLIFT_NATS_CA_FILE", file.toString());
    restartServer();
  }

  private static long agent(Host host) {
    await().atMost(PATIENCE).until(() -> host.agents().size() == 1);
    return host.agents().values().iterator().next().pid();
  }
}
