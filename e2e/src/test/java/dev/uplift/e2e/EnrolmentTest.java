package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.nats.Credentials;
import dev.uplift.temporaldev.stack.JoinCommandResult;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackHost;
import dev.uplift.testservers.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// A host joins with a token, works, and is revoked: on real servers, with the real agent.
@Timeout(300)
final class EnrolmentTest {
  private static final Stack STACK = TestServers.stack().tls().open();
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final int REFUSED = 15;
  private static final int USAGE = 2;
  private static TestRestClient rest;

  @BeforeAll
  static void start() {
    SimulatedFleet.withShortTimeouts(STACK.server());
    STACK.start();
    rest = new TestRestClient(STACK, "acme");
    rest.publish("shopd", "simulated", "2.0", 20);
  }

  @AfterAll
  static void stop() {
    STACK.close();
  }

  private static StackHost host(String name) {
    return STACK.host("acme", name).withPackage("shopd", "simulated", Map.of("version", "1.0"));
  }

  /// Creates a host on a device of the same name.
  private static StackHost newHost(String name) {
    rest.putDevice(name, name);
    return host(name);
  }

  private static String token(String name) {
    return token(name, name);
  }

  private static String token(String device, String name) {
    return rest.call("POST", "devices/" + device + "/hosts/" + name + "/enrolments", Map.of())
        .expectStatus(201)
        .body()
        .path("token")
        .asString();
  }

  private static String enrolment(String name) {
    return rest.get("hosts/" + name).expectStatus(200).body().path("enrolment").asString("");
  }

  private static String presence(String name) {
    return rest.get("hosts/" + name).expectStatus(200).body().path("presence").asString("");
  }

  @Test
  void aHostJoinsAndIsUpgradedWithAKeyOfItsOwn() throws Exception {
    StackHost stackHost = newHost("joins");
    assertThat(enrolment("joins")).isEqualTo("none");
    String token = token("joins");
    assertThat(enrolment("joins")).isEqualTo("invited");

    JoinCommandResult joinCommandResult = stackHost.join(token);
    assertThat(joinCommandResult.exitCode()).as(joinCommandResult.output()).isZero();
    assertThat(joinCommandResult.output()).contains("joined as joins of acme");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(stackHost.credentialsFile())))
        .isEqualTo("rw-------");
    stackHost.start();
    rest.startUpgrade("u-joins", "joins", "shopd", "2.0").expectStatus(201);
    await().atMost(TIMEOUT).until(() -> rest.outcome("u-joins").equals("upgraded"));

    assertThat(enrolment("joins")).isEqualTo("enrolled");
    // The same key may join again; another key may not.
    Files.copy(stackHost.credentialsFile(), stackHost.folder().resolve("copy"));
    JoinCommandResult thief = host("thief").join(token);
    assertThat(thief.exitCode()).as(thief.output()).isEqualTo(REFUSED);
    assertThat(thief.output()).contains("token-used");
    assertThat(host("thief").credentialsFile()).doesNotExist();
    JoinCommandResult again = stackHost.join(token);
    assertThat(again.exitCode()).as(again.output()).isZero();
    assertThat(Credentials.read(stackHost.credentialsFile()).key().publicKey())
        .isEqualTo(Credentials.read(stackHost.folder().resolve("copy")).key().publicKey());
  }

  @Test
  void aTruncatedUnknownOrReplacedTokenIsRejectedAndNothingChanges() throws Exception {
    StackHost stackHost = newHost("rejected");
    String first = token("rejected");
    String second = token("rejected");

    JoinCommandResult torn = stackHost.join(second.substring(0, second.length() - 3));
    assertThat(torn.exitCode()).as(torn.output()).isEqualTo(USAGE);
    assertThat(torn.output()).contains("expected one whole word").doesNotContain(second.substring(20));
    JoinCommandResult replaced = stackHost.join(first);
    assertThat(replaced.exitCode()).as(replaced.output()).isEqualTo(REFUSED);
    assertThat(replaced.output()).contains("token-unknown");

    Path identity = stackHost.folder().resolve("identity");
    assertThat(identity).doesNotExist();
    JoinCommandResult joinCommandResult = stackHost.join(second);
    assertThat(joinCommandResult.exitCode()).as(joinCommandResult.output()).isZero();
  }

  @Test
  void aRevokedHostIsDisconnectedAtOnceAndRejoinsWithAnotherToken() {
    StackHost stackHost = newHost("revoked");
    assertThat(stackHost.join(token("revoked")).exitCode()).isZero();
    stackHost.start();
    await().atMost(TIMEOUT).until(() -> presence("revoked").equals("online"));

    rest.call("DELETE", "hosts/revoke/credentials", Map.of()).expectStatus(404);
    rest.call("DELETE", "hosts/revoked/credentials", Map.of()).expectStatus(204);

    await().atMost(TIMEOUT).until(() -> isRejected(stackHost));
    await().atMost(TIMEOUT).until(() -> presence("revoked").equals("silent"));
    assertThat(enrolment("revoked")).isEqualTo("revoked");

    JoinCommandResult joinCommandResult = stackHost.join(token("revoked"));
    assertThat(joinCommandResult.exitCode()).as(joinCommandResult.output()).isZero();
    // The running agent reads the new credentials at its next login.
    await().atMost(TIMEOUT).until(() -> presence("revoked").equals("online"));
  }

  @Test
  void aHostRotatesItsKeyWhileItWorks() throws Exception {
    StackHost stackHost = newHost("rotates");
    assertThat(stackHost.join(token("rotates")).exitCode()).isZero();
    stackHost.start();
    String before = Files.readString(stackHost.credentialsFile());

    JoinCommandResult rotated = stackHost.rotateKey();

    assertThat(rotated.exitCode()).as(rotated.output()).isZero();
    assertThat(Files.readString(stackHost.credentialsFile())).isNotEqualTo(before);
    rest.startUpgrade("u-rotates", "rotates", "shopd", "2.0").expectStatus(201);
    await().atMost(TIMEOUT).until(() -> rest.outcome("u-rotates").equals("upgraded"));
    assertThat(enrolment("rotates")).isEqualTo("enrolled");
  }

  @Test
  void anotherSystemThatJoinsAsTheHostEndsItsPendingWaits() {
    StackHost stackHost = newHost("reimaged");
    assertThat(stackHost.join(token("reimaged")).exitCode()).isZero();
    stackHost.start();
    await().atMost(TIMEOUT).until(() -> presence("reimaged").equals("online"));
    stackHost.kill();
    rest.startUpgrade("u-reimaged", "reimaged", "shopd", "2.0").expectStatus(201);
    await().atMost(TIMEOUT).until(() -> rest.upgrade("u-reimaged").toString().contains("\"prepare\""));

    JoinCommandResult joinCommandResult = stackHost.join(token("reimaged"));

    assertThat(joinCommandResult.exitCode()).as(joinCommandResult.output()).isZero();
    await().atMost(TIMEOUT).until(() -> rest.outcome("u-reimaged").equals("prepare-failed"));
    assertThat(rest.upgrade("u-reimaged").toString()).contains("re-enrolled");
  }

  @Test
  void aDeletedHostIsRevokedUnlessAnUpgradeRuns() {
    rest.putDevice("pair", "pair-a", "pair-b");
    for (String name : List.of("pair-a", "pair-b")) {
      assertThat(host(name).join(token("pair", name)).exitCode()).isZero();
    }
    host("pair-b").start();
    rest.startUpgrade("u-pair", "pair", "shopd", "2.0").expectStatus(201);
    rest.call("DELETE", "hosts/pair-a", Map.of()).expectStatus(409);
    rest.call("DELETE", "devices/pair", Map.of()).expectStatus(409);
    assertThat(enrolment("pair-a")).isEqualTo("enrolled");
    host("pair-a").start();
    await().atMost(TIMEOUT).until(() -> rest.outcome("u-pair").equals("upgraded"));

    rest.call("DELETE", "hosts/pair-a", Map.of()).expectStatus(204);

    await().atMost(TIMEOUT).until(() -> isRejected(host("pair-a")));
    assertThat(presence("pair-b")).isEqualTo("online");
    rest.call("DELETE", "devices/pair", Map.of()).expectStatus(204);
    await().atMost(TIMEOUT).until(() -> isRejected(host("pair-b")));
  }

  @Test
  void hostsOfADeletedTenantAreDisconnectedAtOnceAndJoinNoMore() {
    TestRestClient globex = new TestRestClient(STACK, "globex");
    globex.putDevice("till", "till-1");
    StackHost stackHost = STACK.host("globex", "till-1").withPackage("shopd", "simulated", Map.of("version", "1.0"));
    String token =
        globex
            .call("POST", "devices/till/hosts/till-1/enrolments", Map.of())
            .expectStatus(201)
            .body()
            .path("token")
            .asString();
    assertThat(stackHost.join(token).exitCode()).isZero();
    stackHost.start();
    await()
        .atMost(TIMEOUT)
        .until(() -> globex.get("hosts/till-1").body().path("presence").asString("").equals("online"));

    globex.call("DELETE", "?confirm=globex", Map.of()).expectStatus(200);

    await().atMost(TIMEOUT).until(() -> isRejected(stackHost));
    assertThat(stackHost.join(token).exitCode()).isEqualTo(REFUSED);
    globex.get("devices").expectStatus(404);
    rest.get("devices").expectStatus(200);
  }

  @Test
  void twoMachinesWithOneIdentityAreUpgradedOnlyOnceTheyAreDistinct() throws Exception {
    StackHost stackHost = newHost("twin");
    assertThat(stackHost.join(token("twin")).exitCode()).isZero();
    stackHost.start();
    StackHost copy = newHost("twin-copy");
    // The identity is gone; it has nothing but the request to join.
    assertThat(copy.join("torn").exitCode()).isEqualTo(USAGE);
    copyIdentity(stackHost, copy);
    copy.launch();
    await().atMost(TIMEOUT).until(() -> isDuplicate("twin"));

    String rejected = rest.startUpgrade("u-twin", "twin", "shopd", "2.0").expectStatus(409).text();
    assertThat(rejected).contains("duplicate-host").contains(stackHost.bootId(), copy.bootId());
    assertThat(instances("twin")).hasSize(2).allMatch(rejected::contains);

    copy.kill();
    await().atMost(TIMEOUT).until(() -> !isDuplicate("twin"));
    rest.startUpgrade("u-twin", "twin", "shopd", "2.0").expectStatus(201);
    await().atMost(TIMEOUT).until(() -> rest.outcome("u-twin").equals("upgraded"));

    JoinCommandResult own = copy.join(token("twin-copy"));
    assertThat(own.exitCode()).as(own.output()).isZero();
    copy.start();
    await().atMost(TIMEOUT).until(() -> presence("twin-copy").equals("online"));
    rest.startUpgrade("u-copy", "twin-copy", "shopd", "2.0").expectStatus(201);
    await().atMost(TIMEOUT).until(() -> rest.outcome("u-copy").equals("upgraded"));
    assertThat(isDuplicate("twin")).isFalse();
    assertThat(enrolments()).containsEntry("twin", "enrolled").containsEntry("twin-copy", "enrolled");
  }

  /// Copies the identity, as an image of the machine would.
  private static void copyIdentity(StackHost from, StackHost to) throws IOException {
    Path identity = Files.createDirectories(to.folder().resolve("identity-copy"));
    Path original = from.folder().resolve("identity").toRealPath();
    try (Stream<Path> all = Files.walk(original)) {
      for (Path each : all.skip(1).toList()) {
        Files.copy(each, identity.resolve(original.relativize(each).toString()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    Files.createSymbolicLink(to.folder().resolve("identity"), Path.of("identity-copy"));
  }

  private static boolean isDuplicate(String name) {
    return rest.get("hosts/" + name).expectStatus(200).body().path("duplicate").asBoolean(false);
  }

  private static List<String> instances(String name) {
    return rest.get("hosts/" + name)
        .expectStatus(200)
        .body()
        .path("instances")
        .valueStream()
        .map(instance -> instance.path("instance").asString())
        .toList();
  }

  /// Returns the state of each host's enrolment from the list.
  private static Map<String, String> enrolments() {
    var found = new HashMap<String, String>();
    for (JsonNode host : rest.get("hosts").expectStatus(200).body().path("items")) {
      found.put(host.path("host").asString(), host.path("enrolment").asString());
    }
    return found;
  }

  /// Returns whether NATS has ended its connection or rejects its login.
  private static boolean isRejected(StackHost stackHost) {
    return log(stackHost).contains("evok") || log(stackHost).contains("Authorization Violation");
  }

  private static String log(StackHost stackHost) {
    try {
      return Files.readString(stackHost.logFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
