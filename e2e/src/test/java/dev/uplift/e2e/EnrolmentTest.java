package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.nats.Credentials;
import dev.uplift.temporaldev.Host;
import dev.uplift.temporaldev.Joined;
import dev.uplift.temporaldev.Stack;
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

/// A host joins with a token, works, and is shut out: on real servers, with the real agent.
@Timeout(300)
final class EnrolmentTest {
  private static final Stack STACK = Stack.temporary().secured().open();
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int REFUSED = 15;
  private static final int USAGE = 2;
  private static RestClient rest;

  @BeforeAll
  static void start() {
    SimulatedFleet.quick(STACK.server());
    STACK.start();
    rest = new RestClient(STACK, "acme");
    rest.publish("shopd", "simulated", "2.0", 20);
  }

  @AfterAll
  static void stop() {
    STACK.close();
  }

  private static Host host(String name) {
    return STACK.host("acme", name).has("shopd", "simulated", Map.of("version", "1.0"));
  }

  /// A host on a device of the same name.
  private static Host newHost(String name) {
    rest.putDevice(name, name);
    return host(name);
  }

  private static String token(String name) {
    return token(name, name);
  }

  private static String token(String device, String name) {
    return rest.call("POST", "devices/" + device + "/hosts/" + name + "/enrolments", Map.of())
        .expect(201)
        .body()
        .path("token")
        .asString();
  }

  private static String enrolment(String name) {
    return rest.get("hosts/" + name).expect(200).body().path("enrolment").asString("");
  }

  private static String presence(String name) {
    return rest.get("hosts/" + name).expect(200).body().path("presence").asString("");
  }

  @Test
  void aHostJoinsAndIsUpgradedAndItsKeyIsItsOwn() throws Exception {
    Host host = newHost("joins");
    assertThat(enrolment("joins")).isEqualTo("none");
    String token = token("joins");
    assertThat(enrolment("joins")).isEqualTo("invited");

    Joined joined = host.join(token);
    assertThat(joined.code()).as(joined.said()).isZero();
    assertThat(joined.said()).contains("joined as joins of acme");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(host.credentials())))
        .isEqualTo("rw-------");
    host.start();
    rest.start("u-joins", "joins", "shopd", "2.0").expect(201);
    await().atMost(PATIENCE).until(() -> rest.outcome("u-joins").equals("upgraded"));

    assertThat(enrolment("joins")).isEqualTo("enrolled");
    // The same key may ask again; another may not.
    Files.copy(host.credentials(), host.folder().resolve("copy"));
    Joined thief = host("thief").join(token);
    assertThat(thief.code()).as(thief.said()).isEqualTo(REFUSED);
    assertThat(thief.said()).contains("token-used");
    assertThat(host("thief").credentials()).doesNotExist();
    Joined again = host.join(token);
    assertThat(again.code()).as(again.said()).isZero();
    assertThat(Credentials.read(host.credentials()).key().name())
        .isEqualTo(Credentials.read(host.folder().resolve("copy")).key().name());
  }

  @Test
  void aTokenThatIsTornUnknownOrReplacedIsRefusedAndNothingChanges() throws Exception {
    Host host = newHost("refused");
    String first = token("refused");
    String second = token("refused");

    Joined torn = host.join(second.substring(0, second.length() - 3));
    assertThat(torn.code()).as(torn.said()).isEqualTo(USAGE);
    assertThat(torn.said())
        .contains("expected one whole word")
        .doesNotContain(second.substring(20));
    Joined replaced = host.join(first);
    assertThat(replaced.code()).as(replaced.said()).isEqualTo(REFUSED);
    assertThat(replaced.said()).contains("token-unknown");

    Path identity = host.folder().resolve("identity");
    assertThat(identity).doesNotExist();
    Joined joined = host.join(second);
    assertThat(joined.code()).as(joined.said()).isZero();
  }

  @Test
  void whoIsShutOutIsGoneAtOnceAndComesBackWithAnotherToken() {
    Host host = newHost("revoked");
    assertThat(host.join(token("revoked")).code()).isZero();
    host.start();
    await().atMost(PATIENCE).until(() -> presence("revoked").equals("running"));

    rest.call("DELETE", "hosts/revoke/credentials", Map.of()).expect(404);
    rest.call("DELETE", "hosts/revoked/credentials", Map.of()).expect(204);

    await().atMost(PATIENCE).until(() -> isRefused(host));
    await().atMost(PATIENCE).until(() -> presence("revoked").equals("silent"));
    assertThat(enrolment("revoked")).isEqualTo("revoked");

    Joined joined = host.join(token("revoked"));
    assertThat(joined.code()).as(joined.said()).isZero();
    // The agent that runs reads the new credentials at its next login.
    await().atMost(PATIENCE).until(() -> presence("revoked").equals("running"));
  }

  @Test
  void aHostTakesAnotherKeyWhileItWorks() throws Exception {
    Host host = newHost("rotates");
    assertThat(host.join(token("rotates")).code()).isZero();
    host.start();
    String before = Files.readString(host.credentials());

    Joined rotated = host.rotate();

    assertThat(rotated.code()).as(rotated.said()).isZero();
    assertThat(Files.readString(host.credentials())).isNotEqualTo(before);
    rest.start("u-rotates", "rotates", "shopd", "2.0").expect(201);
    await().atMost(PATIENCE).until(() -> rest.outcome("u-rotates").equals("upgraded"));
    assertThat(enrolment("rotates")).isEqualTo("enrolled");
  }

  @Test
  void anotherSystemAtTheSameHostEndsWhatWasAwaitedOfIt() {
    Host host = newHost("reimaged");
    assertThat(host.join(token("reimaged")).code()).isZero();
    host.start();
    await().atMost(PATIENCE).until(() -> presence("reimaged").equals("running"));
    host.kill();
    rest.start("u-reimaged", "reimaged", "shopd", "2.0").expect(201);
    await()
        .atMost(PATIENCE)
        .until(() -> rest.upgrade("u-reimaged").toString().contains("\"prepare\""));

    Joined joined = host.join(token("reimaged"));

    assertThat(joined.code()).as(joined.said()).isZero();
    await().atMost(PATIENCE).until(() -> rest.outcome("u-reimaged").equals("prepare-failed"));
    assertThat(rest.upgrade("u-reimaged").toString()).contains("re-enrolled");
  }

  @Test
  void aHostThatIsDeletedIsShutOutAndOneInWorkIsNot() {
    rest.putDevice("pair", "pair-a", "pair-b");
    for (String name : List.of("pair-a", "pair-b")) {
      assertThat(host(name).join(token("pair", name)).code()).isZero();
    }
    host("pair-b").start();
    rest.start("u-pair", "pair", "shopd", "2.0").expect(201);
    rest.call("DELETE", "hosts/pair-a", Map.of()).expect(409);
    rest.call("DELETE", "devices/pair", Map.of()).expect(409);
    assertThat(enrolment("pair-a")).isEqualTo("enrolled");
    host("pair-a").start();
    await().atMost(PATIENCE).until(() -> rest.outcome("u-pair").equals("upgraded"));

    rest.call("DELETE", "hosts/pair-a", Map.of()).expect(204);

    await().atMost(PATIENCE).until(() -> isRefused(host("pair-a")));
    assertThat(presence("pair-b")).isEqualTo("running");
    rest.call("DELETE", "devices/pair", Map.of()).expect(204);
    await().atMost(PATIENCE).until(() -> isRefused(host("pair-b")));
  }

  @Test
  void twoMachinesWithOneIdentityAreNotUpgradedUntilOneOfThemIsGoneOrAHostOfItsOwn()
      throws Exception {
    Host host = newHost("twin");
    assertThat(host.join(token("twin")).code()).isZero();
    host.start();
    Host copy = newHost("twin-copy");
    // Of its own it has nothing but the wish to join.
    assertThat(copy.join("torn").code()).isEqualTo(USAGE);
    copyIdentity(host, copy);
    copy.launch();
    await().atMost(PATIENCE).until(() -> isDuplicate("twin"));

    String refused = rest.start("u-twin", "twin", "shopd", "2.0").expect(409).text();
    assertThat(refused).contains("duplicate-host").contains(host.bootId(), copy.bootId());
    assertThat(instances("twin")).hasSize(2).allMatch(refused::contains);

    copy.kill();
    await().atMost(PATIENCE).until(() -> !isDuplicate("twin"));
    rest.start("u-twin", "twin", "shopd", "2.0").expect(201);
    await().atMost(PATIENCE).until(() -> rest.outcome("u-twin").equals("upgraded"));

    Joined own = copy.join(token("twin-copy"));
    assertThat(own.code()).as(own.said()).isZero();
    copy.start();
    await().atMost(PATIENCE).until(() -> presence("twin-copy").equals("running"));
    rest.start("u-copy", "twin-copy", "shopd", "2.0").expect(201);
    await().atMost(PATIENCE).until(() -> rest.outcome("u-copy").equals("upgraded"));
    assertThat(isDuplicate("twin")).isFalse();
    assertThat(enrolments())
        .containsEntry("twin", "enrolled")
        .containsEntry("twin-copy", "enrolled");
  }

  /// As when the image of a machine is put on another one.
  private static void copyIdentity(Host from, Host to) throws IOException {
    Path identity = Files.createDirectories(to.folder().resolve("identity-copy"));
    Path original = from.folder().resolve("identity").toRealPath();
    try (Stream<Path> all = Files.walk(original)) {
      for (Path each : all.skip(1).toList()) {
        Files.copy(
            each,
            identity.resolve(original.relativize(each).toString()),
            StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    Files.createSymbolicLink(to.folder().resolve("identity"), Path.of("identity-copy"));
  }

  private static boolean isDuplicate(String name) {
    return rest.get("hosts/" + name).expect(200).body().path("duplicate").asBoolean(false);
  }

  private static List<String> instances(String name) {
    return rest.get("hosts/" + name)
        .expect(200)
        .body()
        .path("instances")
        .valueStream()
        .map(instance -> instance.path("instance").asString())
        .toList();
  }

  /// As the list shows them.
  private static Map<String, String> enrolments() {
    var found = new HashMap<String, String>();
    for (JsonNode host : rest.get("hosts").expect(200).body().path("items")) {
      found.put(host.path("host").asString(), host.path("enrolment").asString());
    }
    return found;
  }

  /// NATS has ended its connection, or lets it in no more.
  private static boolean isRefused(Host host) {
    return log(host).contains("evok") || log(host).contains("Authorization Violation");
  }

  private static String log(Host host) {
    try {
      return Files.readString(host.log());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
