package dev.uplift.api.rollouts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.server.SharedServer;
import dev.uplift.api.server.Tenant;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.store.NewUpgrade;
import dev.uplift.store.UpgradeEnd;
import dev.uplift.store.Upgrades;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/// What somebody is told of a rollout before anything is kept of it.
@ExtendWith(SharedServer.class)
final class RolloutPreviewTest {
  private static final String PLAN =
      """
      {"package":"shopd","version":"2.0","selection":"true","everything":true,"on_busy":"skip",
       "waves":[%s{"rest":true}],%s
       "window":{"takes_s":1800}}\
      """;

  @Test
  void saysWhoIsInWhichWaveWhoIsLeftOutAndWhy(Tenant tenant) {
    Fleet fleet = Fleet.of(tenant, 10);
    hold(tenant, "d0");
    fleet.runs(1, "2.0");
    upgrade(tenant, "d2");
    fail(tenant, "d3");
    // A window far too short for the release, which takes half an hour.
    window(tenant, "d4", "sun", "02:00", "10m");
    fleet.publish(tenant.server().home().release("shopd", "3.0", 30));
    fleet.runs(5, "3.0");

    JsonNode checked =
        fleet.validate(PLAN.formatted("{\"count\":1},{\"percent\":50},", "")).is(200).json();

    assertThat(checked.path("devices").asInt()).isEqualTo(4);
    assertThat(checked.path("waves").valueStream().map(wave -> wave.path("devices").asInt()))
        .containsExactly(1, 2, 1);
    assertThat(checked.path("left_out").toString())
        .isEqualTo(
            "{\"already-there\":1,\"busy\":1,\"downgrade\":1,\"failed-before\":1,\"held\":1,"
                + "\"no-window\":1}");
    assertThat(leftOut(checked))
        .containsEntry("d0", "held: held by operator: trade fair")
        .containsEntry("d1", "already-there: runs shopd 2.0 already")
        .containsEntry("d5", "downgrade: 3.0 on h5 is newer than shopd 2.0")
        .hasEntrySatisfying("d2", why -> assertThat(why).startsWith("busy: in "))
        .hasEntrySatisfying("d3", why -> assertThat(why).startsWith("failed-before: shopd 2.0: "))
        .hasEntrySatisfying("d4", why -> assertThat(why).startsWith("no-window: "));
    assertThat(Instant.parse(checked.path("first_start").asString()))
        .isBetween(Instant.now().minusSeconds(60), Instant.now());
    assertThat(checked.has("last_start")).as("no window keeps any waiting").isFalse();
  }

  @Test
  void saysWhenTheFirstAndTheLastCouldStart(Tenant tenant) {
    Fleet fleet = Fleet.of(tenant, 4);
    // Opens in two days' time; the spread over its first seconds comes on top.
    OffsetDateTime opens =
        OffsetDateTime.now(ZoneOffset.UTC)
            .plusDays(2)
            .withHour(3)
            .withMinute(0)
            .withSecond(0)
            .withNano(0);
    window(tenant, "d3", opens.getDayOfWeek().name().toLowerCase(Locale.ROOT), "03:00", "4h");

    JsonNode checked = fleet.validate(PLAN.formatted("", "")).is(200).json();

    assertThat(Instant.parse(checked.path("first_start").asString())).isBefore(Instant.now());
    assertThat(Instant.parse(checked.path("last_start").asString()))
        .isBetween(opens.toInstant(), opens.toInstant().plus(Duration.ofMinutes(15)));
    String tooEarly = "\"not_after\":\"%s\",".formatted(opens.minusHours(1).toInstant());
    assertThat(leftOut(fleet.validate(PLAN.formatted("", tooEarly)).is(200).json()))
        .containsOnlyKeys("d3")
        .hasEntrySatisfying("d3", why -> assertThat(why).startsWith("no-window: "));
  }

  private static Map<String, String> leftOut(JsonNode checked) {
    Map<String, String> why = new HashMap<>();
    checked
        .path("left_out_devices")
        .forEach(one ->
            why.put(
                one.path("device").asString(),
                one.path("reason").asString() + ": " + one.path("detail").asString()));
    return why;
  }

  private static void hold(Tenant tenant, String device) {
    tenant
        .operator()
        .send("POST", tenant.path("devices/" + device + "/hold"), "{\"reason\":\"trade fair\"}")
        .is(200);
  }

  private static void window(
      Tenant tenant, String device, String day, String start, String duration) {
    tenant
        .admin()
        .send(
            "PATCH",
            tenant.path("devices/" + device),
            """
            {"windows":[{"days_of_week":["%s"],"start_time":"%s","duration":"%s"}]}\
            """
                .formatted(day, start, duration))
        .is(200);
  }

  private static void upgrade(Tenant tenant, String device) {
    var upgrade =
        new NewUpgrade(
            "of-" + device,
            new DeviceId(tenant.name(), device),
            new Release("shopd", "2.0"),
            "ann",
            "{}",
            "run-1");
    assertThat(tenant.server().bean(Upgrades.class).begin(upgrade).isRunning()).isTrue();
  }

  private static void fail(Tenant tenant, String device) {
    upgrade(tenant, device);
    var why = new UpgradeEnd.Why("error", "health-failed", "final", "not healthy within 5 s");
    assertThat(
            tenant
                .server()
                .bean(Upgrades.class)
                .end(
                    tenant.name(),
                    "of-" + device,
                    new UpgradeEnd(Outcome.ROLLED_BACK, Optional.of(why), "[]")))
        .isPresent();
  }
}
