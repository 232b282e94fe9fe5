package dev.uplift.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.cli.nats.NatsKeyFolder;
import dev.uplift.cli.nats.RotatableNatsKey;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.NatsJwt;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.protocol.nats.UserJwtFactory;
import dev.uplift.temporaldev.secrets.TlsCertificates;
import dev.uplift.temporaldev.stack.JoinCommandResult;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackHost;
import dev.uplift.testservers.TestServers;
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

/// Keys of NATS and certificate authorities are rotated while hosts work, as described in docs/enrolment.md, on real
/// servers, with real agents that are never restarted.
@Timeout(300)
final class NatsKeyRotationTest {
  private static final Stack STACK = TestServers.stack().tls().open();
  private static final Duration TIMEOUT = Duration.ofSeconds(90);

  /// The authorities that the server accepts for NATS, and that it tells hosts.
  private static final Path AUTHORITIES = STACK.folder().resolve("authorities.pem");

  private static TestRestClient rest;

  @BeforeAll
  static void start() throws IOException {
    SimulatedFleet.withShortTimeouts(STACK.server());
    Files.copy(STACK.secrets().certificates().caCertificate(), AUTHORITIES);
    STACK
        .server()
        .environment("UPLIFT_ENROLMENT_CA_FILE", AUTHORITIES.toString())
        .environment("UPLIFT_NATS_CA_FILE", AUTHORITIES.toString());
    STACK.start();
    rest = new TestRestClient(STACK, "acme");
    rest.publish("shopd", "simulated", "2.0", 20, Map.of("upgrade_ms", "8000"));
    rest.publish("shopd", "simulated", "3.0", 30);
  }

  @AfterAll
  static void stop() {
    STACK.close();
  }

  private static StackHost joined(String name) {
    rest.putDevice(name, name);
    StackHost stackHost = STACK.host("acme", name).withPackage("shopd", "simulated", Map.of("version", "1.0"));
    JoinCommandResult joinCommandResult = stackHost.join(token(name));
    assertThat(joinCommandResult.exitCode()).as(joinCommandResult.output()).isZero();
    stackHost.start();
    return stackHost;
  }

  private static String token(String name) {
    return rest.call("POST", "devices/" + name + "/hosts/" + name + "/enrolments", Map.of())
        .expectStatus(201)
        .body()
        .path("token")
        .asString();
  }

  private static void upgraded(String name, String version) {
    String upgrade = "u-" + name + "-" + version.charAt(0);
    rest.startUpgrade(upgrade, name, "shopd", version).expectStatus(201);
    await().atMost(TIMEOUT).until(() -> rest.outcome(upgrade).equals("upgraded"));
  }

  private static void restartServer() {
    STACK.server().stop();
    STACK.server().start();
  }

  private static void restartNats() {
    STACK.nats().stop();
    STACK.nats().start();
  }

  private static void renewed(StackHost stackHost) {
    JoinCommandResult rotated = stackHost.rotateKey();
    assertThat(rotated.exitCode()).as(rotated.output()).isZero();
  }

  @Test
  void everyKeyOfNatsIsRotatedWhileUpgradesContinue() throws Exception {
    StackHost stackHost = joined("steady");
    long agent = agent(stackHost);
    NatsKeyFolder keyFolder = STACK.nats().operator().keyFolder();
    Credentials server = Credentials.read(keyFolder.serverCredentials());
    Credentials system = Credentials.read(keyFolder.enrolmentFolder().resolve("system.creds"));
    Nkey hostSigningKey = key(keyFolder, RotatableNatsKey.HOSTS_SIGNING);
    Nkey operatorSigningKey = key(keyFolder, RotatableNatsKey.OPERATOR_SIGNING);
    rest.startUpgrade("u-during", "steady", "shopd", "2.0").expectStatus(201);

    for (RotatableNatsKey each : RotatableNatsKey.values()) {
      keyFolder.rotate(each);
    }
    restartNats();

    // Both the old and the new ones are valid.
    for (Credentials each :
        new Credentials[] {
          server,
          system,
          Credentials.read(keyFolder.serverCredentials()),
          ghost(keyFolder, hostSigningKey),
          ghost(keyFolder, key(keyFolder, RotatableNatsKey.HOSTS_SIGNING))
        }) {
      await(each.key().publicKey()).atMost(TIMEOUT).until(() -> canConnect(each));
    }
    await().atMost(TIMEOUT).until(() -> rest.outcome("u-during").equals("upgraded"));
    renewed(stackHost);

    for (RotatableNatsKey each : RotatableNatsKey.values()) {
      keyFolder.retire(each);
    }
    for (Credentials each : new Credentials[] {server, ghost(keyFolder, hostSigningKey), system}) {
      await(each.key().publicKey()).atMost(TIMEOUT).until(() -> !canConnect(each));
    }
    restartNats();

    Credentials now = Credentials.read(keyFolder.enrolmentFolder().resolve("system.creds"));
    publishClaims(now, forged(keyFolder, operatorSigningKey, hostSigningKey));
    assertThat(canConnect(ghost(keyFolder, hostSigningKey))).isFalse();
    upgraded("steady", "3.0");
    assertThat(agent(stackHost)).isEqualTo(agent);
  }

  private static Nkey key(NatsKeyFolder keyFolder, RotatableNatsKey which) throws IOException {
    return Nkey.fromSeed(Files.readString(keyFolder.enrolmentFolder().resolve(which + ".nk")));
  }

  /// Creates credentials as a thief of the key would.
  private static Credentials ghost(NatsKeyFolder keyFolder, Nkey hostSigningKey) {
    Nkey own = Nkey.generate(Nkey.Kind.USER);
    String ticket =
        new UserJwtFactory(keyFolder.accountPublicKey("devices"), Instant.now())
            .host(own.publicKey(), "acme", "ghost", Instant.now().plusSeconds(3600))
            .sign(hostSigningKey);
    return new Credentials(ticket, own);
  }

  /// Creates account claims that make both keys valid again, as a thief of both would publish them.
  private static String forged(NatsKeyFolder keyFolder, Nkey operatorSigningKey, Nkey hostSigningKey)
      throws IOException {
    String genuine = Files.readString(keyFolder.enrolmentFolder().resolve("devices.jwt"));
    String claims =
        new String(NatsJwt.claims(genuine), UTF_8)
            .replace(key(keyFolder, RotatableNatsKey.OPERATOR_SIGNING).publicKey(), operatorSigningKey.publicKey())
            .replace(key(keyFolder, RotatableNatsKey.HOSTS_SIGNING).publicKey(), hostSigningKey.publicKey());
    return NatsJwt.sign(claims.getBytes(UTF_8), operatorSigningKey);
  }

  private static boolean canConnect(Credentials who) throws InterruptedException {
    try {
      login(who).close();
      return true;
    } catch (IOException | GeneralSecurityException _) {
      return false;
    }
  }

  private static void publishClaims(Credentials who, String claims) throws Exception {
    Connection connection = login(who);
    try {
      assertThat(connection.request("$SYS.REQ.CLAIMS.UPDATE", claims.getBytes(UTF_8), Duration.ofSeconds(10)))
          .isNotNull();
    } finally {
      connection.close();
    }
  }

  private static Connection login(Credentials who) throws IOException, GeneralSecurityException, InterruptedException {
    return Nats.connect(
        Options.builder()
            .server(STACK.nats().url())
            .sslContext(trusting(STACK.secrets().certificates().caCertificate()))
            .authHandler(Nats.staticCredentials(who.jwt().toCharArray(), who.key().seed().toCharArray()))
            .errorListener(new ErrorListener() {})
            .noReconnect()
            .build());
  }

  private static SSLContext trusting(Path pem) throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(pem)) {
      trusted.setCertificateEntry("own", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  @Test
  void hostsTrustANewAuthorityBeforeServersUseIt() throws Exception {
    StackHost stackHost = joined("trusting");
    long agent = agent(stackHost);
    TlsCertificates tlsCertificates = STACK.secrets().certificates();
    String before = Files.readString(tlsCertificates.caCertificate());
    String next = Files.readString(tlsCertificates.prepareNext().caCertificate());

    exchangeAuthorities(before + next);
    renewed(stackHost);
    assertThat(stackHost.credentialsFile().resolveSibling("ca.pem")).hasContent(before + next);

    tlsCertificates.activateNext();
    restartNats();
    upgraded("trusting", "2.0");
    // It reads its own certificate at its start only.
    restartServer();
    // The authority in use comes first, because new tokens name it.
    exchangeAuthorities(next + before);
    upgraded("trusting", "3.0");

    assertThat(agent(stackHost)).isEqualTo(agent);
    assertThat(joined("late").credentialsFile().resolveSibling("ca.pem")).hasContent(next + before);
  }

  private static void exchangeAuthorities(String pem) throws IOException {
    Path log = STACK.server().logFile();
    int logged = Files.readString(log).length();
    Files.writeString(AUTHORITIES, pem);
    await()
        .atMost(TIMEOUT)
        .until(() -> Files.readString(log).substring(logged).contains("files of enrolment: changed, and in use"));
  }

  private static long agent(StackHost stackHost) {
    await().atMost(TIMEOUT).until(() -> stackHost.agents().size() == 1);
    return stackHost.agents().values().iterator().next().pid();
  }
}
