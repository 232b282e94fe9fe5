package dev.uplift.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.nats.Credentials;
import dev.uplift.temporaldev.Server;
import dev.uplift.temporaldev.Stack;
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

/// On a real PostgreSQL, as in production: it may be away, and two servers may share it. What
/// happens to the host is counted on the host.
@Timeout(300)
final class PostgresTest {
  private static final Stack STACK = Stack.temporary().open();
  private static @Nullable Postgres postgres;
  private static @Nullable RestClient rest;

  @BeforeAll
  static void startServers() {
    Postgres database = new Postgres(STACK.host("acme", "database").port("postgresql"));
    postgres = database;
    for (Server server : new Server[] {STACK.server(), STACK.server("second")}) {
      server
          .with("UPLIFT_DATABASE_URL", database.url())
          .with("UPLIFT_DATABASE_USER", database.user())
          .with("UPLIFT_PACE_RESEND", "PT2S")
          .with("UPLIFT_PACE_REBOOT", "PT5S")
          .with("UPLIFT_PACE_AWAIT_HEARTBEAT", "PT5S")
          .with("UPLIFT_SILENT_AFTER", "PT4S");
    }
    STACK.start();
    rest = new RestClient(STACK, "acme");
  }

  @AfterAll
  static void endAll() {
    STACK.close();
    if (postgres != null) {
      postgres.close();
    }
  }

  @Test
  void databaseIsAwayWhileAHostReboots() {
    RebootingSite site = site("away");
    site.host().neverReturns();
    site.startUpgrade();
    site.awaitGone();

    requireNonNull(postgres).kill();
    site.host().powerOn();
    site.awaitQuestion();
    requireNonNull(postgres).start();

    assertUpgradedOnce(site);
  }

  @Test
  void whicheverOfTwoServersIsKilledTheOtherGoesOn() {
    Server first = STACK.server();
    Server second = STACK.server("second");
    second.start();
    RebootingSite site = site("shared");
    site.os().hold(ScriptedOs.Step.prepare);
    site.os().hold(ScriptedOs.Step.upgrade);
    site.host().neverReturns();
    site.startUpgrade();

    site.awaitEffect("prepare 1.5.0");
    first.kill();
    site.os().release(ScriptedOs.Step.prepare);
    site.awaitEffect("upgrade 1.5.0");
    first.start();
    second.kill();
    site.os().release(ScriptedOs.Step.upgrade);
    site.awaitGone();
    second.start();
    first.kill();
    site.host().powerOn();
    site.awaitEffect("boot 1.5.0");
    first.start();

    assertUpgradedOnce(site);
  }

  @Test
  void deviceWithTwoPackagesHasThemUpgradedInTurn() {
    STACK.host("acme", "two").has("kiosk", "simulated", Map.of("version", "1.0.0"));
    RebootingSite site = site("two");
    site.startUpgrade();
    site.awaitEnd();

    RestClient operator = requireNonNull(rest);
    operator.publish("kiosk", "simulated", "2.0.0", 200);
    operator.start("two-kiosk", "two", "kiosk", "2.0.0").expect(200, 201, 202);

    await("the end of the second")
        .atMost(Duration.ofMinutes(2))
        .until(() -> operator.outcome("two-kiosk").equals("upgraded"));
    JsonNode versions = operator.get("hosts/two").expect(200).body().path("versions");
    assertThat(versions.path("os").asString()).isEqualTo("1.5.0");
    assertThat(versions.path("kiosk").asString()).isEqualTo("2.0.0");
    assertUpgradedOnce(site);
  }

  @Test
  void whomEitherOfTwoServersShutsOutStaysOutWhileBothShutOutOthers() throws Exception {
    STACK.server("second").start();
    RestClient first = requireNonNull(rest);
    List<RestClient> both = List.of(first, first.at(STACK.server("second")));
    List<Credentials> hosts = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      first.putDevice("out-" + i, "out-" + i);
      hosts.add(both.get(i / 2 % 2).join("out-" + i, "out-" + i));
      assertThat(STACK.nats().letsIn(hosts.getLast())).isTrue();
    }
    try (ExecutorService operators = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < hosts.size(); i++) {
        RestClient at = both.get(i % 2);
        String path = "hosts/out-" + i + "/credentials";
        Credentials host = hosts.get(i);
        all.add(
            operators.submit(() -> {
              at.call("DELETE", path, Map.of()).expect(204);
              return STACK.nats().letsIn(host);
            }));
      }
      for (Future<Boolean> one : all) {
        assertThat(one.get(2, TimeUnit.MINUTES)).isFalse();
      }
    }
    for (Credentials host : hosts) {
      assertThat(STACK.nats().letsIn(host)).isFalse();
    }
  }

  private static RebootingSite site(String name) {
    return RebootingSite.in(STACK, requireNonNull(rest), name);
  }

  private static void assertUpgradedOnce(RebootingSite site) {
    JsonNode end = site.awaitEnd();

    assertThat(end.path("outcome").asString()).as(end.toPrettyString()).isEqualTo("upgraded");
    assertThat(site.os().effects()).isEqualTo(RebootingSite.EACH_ONCE);
    site.host().stop();
  }
}
