package dev.uplift.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.nats.Credentials;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.UpliftServer;
import dev.uplift.testservers.PostgresServer;
import dev.uplift.testservers.TestServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// On a real PostgreSQL, as in production: it may be unavailable, and two servers may share it. Counts the effects on
/// the host itself.
@Timeout(300)
final class PostgresTest {
  private static final Stack STACK = TestServers.stack().open();
  private static @Nullable PostgresServer postgres;
  private static @Nullable TestRestClient rest;

  @BeforeAll
  static void startServers() {
    PostgresServer database = TestServers.postgres(STACK.host("acme", "database").servicePort("postgresql"));
    postgres = database;
    for (UpliftServer upliftServer : new UpliftServer[] {STACK.server(), STACK.server("second")}) {
      upliftServer
          .environment("UPLIFT_DATABASE_URL", database.url("postgres"))
          .environment("UPLIFT_DATABASE_USER", database.user())
          .environment("UPLIFT_TIMEOUTS_RESEND_INTERVAL", "PT2S")
          .environment("UPLIFT_TIMEOUTS_REBOOT", "PT5S")
          .environment("UPLIFT_TIMEOUTS_AWAIT_HEARTBEAT", "PT5S")
          .environment("UPLIFT_PRESENCE_SILENT_AFTER", "PT4S");
    }
    STACK.start();
    rest = new TestRestClient(STACK, "acme");
  }

  @AfterAll
  static void endAll() {
    STACK.close();
    if (postgres != null) {
      postgres.close();
    }
  }

  @Test
  void databaseIsUnavailableWhileAHostReboots() {
    RebootUpgradeScenario site = site("away");
    site.host().staysOffAfterReboot();
    site.startUpgrade();
    site.awaitHostDown();

    requireNonNull(postgres).kill();
    site.host().powerOn();
    site.awaitInspect();
    requireNonNull(postgres).start();

    assertUpgradedOnce(site);
  }

  @Test
  void whicheverOfTwoServersIsKilledTheOtherContinues() {
    UpliftServer first = STACK.server();
    UpliftServer second = STACK.server("second");
    second.start();
    RebootUpgradeScenario site = site("shared");
    site.os().hold(ScriptedOs.HoldableVerb.prepare);
    site.os().hold(ScriptedOs.HoldableVerb.upgrade);
    site.host().staysOffAfterReboot();
    site.startUpgrade();

    site.awaitEffect("prepare 1.5.0");
    first.kill();
    site.os().release(ScriptedOs.HoldableVerb.prepare);
    site.awaitEffect("upgrade 1.5.0");
    first.start();
    second.kill();
    site.os().release(ScriptedOs.HoldableVerb.upgrade);
    site.awaitHostDown();
    second.start();
    first.kill();
    site.host().powerOn();
    site.awaitEffect("boot 1.5.0");
    first.start();

    assertUpgradedOnce(site);
  }

  @Test
  void twoPackagesOfADeviceAreUpgradedInTurn() {
    STACK.host("acme", "two").withPackage("kiosk", "simulated", Map.of("version", "1.0.0"));
    RebootUpgradeScenario site = site("two");
    site.startUpgrade();
    site.awaitEnd();

    TestRestClient operator = requireNonNull(rest);
    operator.publish("kiosk", "simulated", "2.0.0", 200);
    operator.startUpgrade("two-kiosk", "two", "kiosk", "2.0.0").expectStatus(200, 201, 202);

    await("the end of the second")
        .atMost(Duration.ofMinutes(2))
        .until(() -> operator.outcome("two-kiosk").equals("upgraded"));
    JsonNode versions = operator.get("hosts/two").expectStatus(200).body().path("versions");
    assertThat(versions.path("os").asString()).isEqualTo("1.5.0");
    assertThat(versions.path("kiosk").asString()).isEqualTo("2.0.0");
    await("each version with the upgrade that had changed the host")
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> {
          assertThat(versionsOf("two", "os")).containsExactly("1.5.0 two", "1.4.0 none");
          assertThat(versionsOf("two", "kiosk")).containsExactly("2.0.0 two-kiosk", "1.0.0 none");
        });
    assertUpgradedOnce(site);
  }

  private static List<String> versionsOf(String host, String packageName) {
    return requireNonNull(rest)
        .get("hosts/%s/versions?package=%s".formatted(host, packageName))
        .expectStatus(200)
        .body()
        .path("items")
        .valueStream()
        .map(item -> item.path("version").asString("") + " " + item.path("upgrade").asString("none"))
        .toList();
  }

  @Test
  void aHostRevokedByEitherServerStaysRevokedWhileBothRevokeOthers() throws Exception {
    STACK.server("second").start();
    TestRestClient first = requireNonNull(rest);
    List<TestRestClient> both = List.of(first, first.atServer(STACK.server("second")));
    List<Credentials> hosts = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      first.putDevice("out-" + i, "out-" + i);
      hosts.add(both.get(i / 2 % 2).join("out-" + i, "out-" + i));
      assertThat(STACK.nats().accepts(hosts.getLast())).isTrue();
    }
    try (ExecutorService operators = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < hosts.size(); i++) {
        TestRestClient at = both.get(i % 2);
        String path = "hosts/out-" + i + "/credentials";
        Credentials host = hosts.get(i);
        all.add(
            operators.submit(() -> {
              at.call("DELETE", path, Map.of()).expectStatus(204);
              return STACK.nats().accepts(host);
            }));
      }
      for (Future<Boolean> one : all) {
        assertThat(one.get(2, TimeUnit.MINUTES)).isFalse();
      }
    }
    for (Credentials host : hosts) {
      assertThat(STACK.nats().accepts(host)).isFalse();
    }
  }

  private static RebootUpgradeScenario site(String name) {
    return RebootUpgradeScenario.in(STACK, requireNonNull(rest), name);
  }

  private static void assertUpgradedOnce(RebootUpgradeScenario site) {
    JsonNode end = site.awaitEnd();

    assertThat(end.path("outcome").asString()).as(end.toPrettyString()).isEqualTo("upgraded");
    assertThat(site.os().effects()).isEqualTo(RebootUpgradeScenario.EACH_ONCE);
    site.host().stop();
  }
}
