package dev.uplift.api.rollouts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/// The preview of a rollout, before anything of it is stored.
@ExtendWith(SharedServerExtension.class)
final class RolloutPreviewTest {
  private static final String PLAN =
      """
      {"package":"shopd","version":"2.0","selection":"true","everything":true,"on_busy":"skip",
       "waves":[%s{"rest":true}],%s
       "window":{"required_time_seconds":1800}}\
      """;

  @Test
  void showsTheStepTimeoutsInForce(TestTenant testTenant) {
    TestFleet testFleet = TestFleet.of(testTenant, 2);
    testFleet.publish(
        testTenant
            .server()
            .home()
            .release("shopd", "3.0", 30, "\"step_timeouts\":{\"upgrade_s\":7000,\"reboot_s\":600000},"));

    JsonNode checked =
        testFleet
            .validate(PLAN.formatted("", "\"step_timeouts\":{\"upgrade_seconds\":8000},").replace("2.0", "3.0"))
            .expectStatus(200)
            .json();

    assertThat(checked.path("step_timeouts").toString())
        .as("of the plan; of the release, within the bound; of the server")
        .isEqualTo(
            "{\"prepare_seconds\":21600,\"upgrade_seconds\":8000,\"reboot_seconds\":86400,"
                + "\"await_heartbeat_seconds\":600,\"rollback_seconds\":7200}");
    assertThat(checked.path("plan").path("step_timeouts").toString()).isEqualTo("{\"upgrade_seconds\":8000}");
    assertThat(
            testFleet
                .validate(PLAN.formatted("", "\"step_timeouts\":{\"upgrade_seconds\":86401},"))
                .expectStatus(422)
                .json()
                .toString())
        .contains("/step_timeouts/upgrade_seconds");
  }

  @Test
  void showsWavesAndExclusionsWithReasons(TestTenant testTenant) {
    TestFleet testFleet = TestFleet.of(testTenant, 11);
    hold(testTenant, "d0");
    testTenant
        .operator()
        .send("PUT", testTenant.path("devices/d10/pins/shopd"), "{\"version\":\"1.0\",\"reason\":\"certified\"}")
        .expectStatus(201);
    testFleet.reportVersion(1, "2.0");
    upgrade(testTenant, "d2");
    fail(testTenant, "d3");
    // A window far too short for the release, which takes half an hour.
    window(testTenant, "d4", "sun", "02:00", "10m");
    testFleet.publish(testTenant.server().home().release("shopd", "3.0", 30));
    testFleet.reportVersion(5, "3.0");

    JsonNode checked =
        testFleet.validate(PLAN.formatted("{\"count\":1},{\"percent\":50},", "")).expectStatus(200).json();

    assertThat(checked.path("devices").asInt()).isEqualTo(4);
    assertThat(checked.path("plan").path("thresholds").path("success_percent").asInt())
        .as("a default is a rule in force")
        .isEqualTo(95);
    assertThat(checked.path("waves").valueStream().map(wave -> wave.path("devices").asInt())).containsExactly(1, 2, 1);
    assertThat(checked.path("excluded_by_reason").toString())
        .isEqualTo(
            "{\"already-installed\":1,\"busy\":1,\"downgrade\":1,\"failed-before\":1,\"held\":1,"
                + "\"no-window\":1,\"pinned\":1}");
    assertThat(leftOut(checked))
        .containsEntry("d0", "held: held by operator: trade fair")
        .containsEntry("d1", "already-installed: runs shopd 2.0 already")
        .containsEntry("d10", "pinned: shopd is pinned to 1.0 by operator: certified; a person may override it")
        .containsEntry("d5", "downgrade: 3.0 on h5 is newer than shopd 2.0")
        .hasEntrySatisfying("d2", why -> assertThat(why).startsWith("busy: in "))
        .hasEntrySatisfying("d3", why -> assertThat(why).startsWith("failed-before: shopd 2.0: "))
        .hasEntrySatisfying("d4", why -> assertThat(why).startsWith("no-window: "));
    assertThat(Instant.parse(checked.path("first_start_at").asString()))
        .isBetween(Instant.now().minusSeconds(60), Instant.now());
    assertThat(checked.has("last_window_opens_at")).as("no device waits for a window").isFalse();
  }

  @Test
  void deviceWhoseFailureAPersonHasClearedIsTakenAgain(TestTenant testTenant) {
    TestFleet testFleet = TestFleet.of(testTenant, 2);
    fail(testTenant, "d1");
    String plan = PLAN.formatted("", "");
    String clear = testTenant.path("devices/d1/clear-failures");
    String body = "{\"package\":\"shopd\",\"version\":\"2.0\",\"reason\":\"the site was without power\"}";
    assertThat(testFleet.validate(plan).json().path("devices").asInt()).isEqualTo(1);

    testTenant.viewer().send("POST", clear, body).expectStatus(403);
    assertThat(cleared(testTenant, clear + "?validate=true", body)).isEqualTo(1);
    assertThat(cleared(testTenant, clear, body)).isEqualTo(1);
    assertThat(cleared(testTenant, clear, body)).isZero();

    assertThat(testFleet.validate(plan).json().path("devices").asInt()).isEqualTo(2);
    assertThat(testTenant.admin().get(testTenant.path("audit?target=device/d1")).json().path("items").valueStream())
        .filteredOn(entry -> entry.path("action").asString().equals("device.clear-failures"))
        .singleElement()
        .satisfies(entry -> assertThat(entry.toString()).contains("shopd 2.0: the site was without power"));
    testTenant.operator().send("POST", testTenant.path("devices/none/clear-failures"), body).expectStatus(404);
  }

  @Test
  void devicesWhoseFailuresAPersonHasClearedBySelectionAreTakenAgain(TestTenant testTenant) {
    TestFleet testFleet = TestFleet.of(testTenant, 6);
    Stream.of("d0", "d1", "d2").forEach(device -> fail(testTenant, device));
    String plan = PLAN.formatted("", "");
    String clear = testTenant.path("clear-failures");
    String body = "{\"selection\":\"%s\",\"package\":\"shopd\",\"version\":\"2.0\",\"reason\":\"no power\"}";
    String some = body.formatted("device in ['d0', 'd1', 'd4']");
    int before = testFleet.validate(plan).json().path("devices").asInt();

    testTenant.viewer().send("POST", clear, some).expectStatus(403);
    assertThat(testTenant.operator().send("POST", clear, body.formatted("true")).expectStatus(422).errors())
        .containsExactly("/everything: the selection takes all 6 devices; expected true to confirm that");
    assertThat(testTenant.operator().send("POST", clear, body.formatted("device =")).expectStatus(400).errors())
        .first()
        .asString()
        .startsWith("/selection: line 1");
    assertThat(cleared(testTenant, clear + "?validate=true", some)).isEqualTo(2);
    assertThat(testFleet.validate(plan).json().path("devices").asInt()).isEqualTo(before);
    assertThat(cleared(testTenant, clear, some)).isEqualTo(2);
    assertThat(cleared(testTenant, clear, some)).isZero();

    assertThat(testFleet.validate(plan).json().path("devices").asInt()).isEqualTo(before + 2);
    assertThat(
            testTenant
                .admin()
                .get(testTenant.path("audit?target=tenant/" + testTenant.name()))
                .json()
                .path("items")
                .valueStream())
        .filteredOn(entry -> entry.path("action").asString().equals("devices.clear-failures"))
        .hasSize(2)
        .last()
        .satisfies(entry -> assertThat(entry.toString()).contains("no power", "'d4'", "\\\"cleared\\\":2", "shopd"));
  }

  private static int cleared(TestTenant testTenant, String path, String body) {
    return testTenant.operator().send("POST", path, body).expectStatus(200).json().path("cleared").asInt();
  }

  @Test
  void showsTheFirstAndTheLastPossibleStart(TestTenant testTenant) {
    TestFleet testFleet = TestFleet.of(testTenant, 4);
    // Opens in two days; starts are spread over its first seconds.
    OffsetDateTime opens =
        OffsetDateTime.now(ZoneOffset.UTC).plusDays(2).withHour(3).withMinute(0).withSecond(0).withNano(0);
    window(testTenant, "d3", opens.getDayOfWeek().name().toLowerCase(Locale.ROOT), "03:00", "4h");

    JsonNode checked = testFleet.validate(PLAN.formatted("", "")).expectStatus(200).json();

    assertThat(Instant.parse(checked.path("first_start_at").asString())).isBefore(Instant.now());
    assertThat(Instant.parse(checked.path("last_window_opens_at").asString()))
        .isBetween(opens.toInstant(), opens.toInstant().plus(Duration.ofMinutes(15)));
    String tooEarly = "\"not_after\":\"%s\",".formatted(opens.minusHours(1).toInstant());
    assertThat(leftOut(testFleet.validate(PLAN.formatted("", tooEarly)).expectStatus(200).json()))
        .containsOnlyKeys("d3")
        .hasEntrySatisfying("d3", why -> assertThat(why).startsWith("no-window: "));
  }

  private static Map<String, String> leftOut(JsonNode checked) {
    Map<String, String> why = new HashMap<>();
    checked
        .path("excluded_devices")
        .forEach(one ->
            why.put(
                one.path("device").asString(), one.path("reason").asString() + ": " + one.path("message").asString()));
    return why;
  }

  private static void hold(TestTenant testTenant, String device) {
    testTenant
        .operator()
        .send("POST", testTenant.path("devices/" + device + "/hold"), "{\"reason\":\"trade fair\"}")
        .expectStatus(200);
  }

  private static void window(TestTenant testTenant, String device, String day, String start, String duration) {
    testTenant
        .admin()
        .send(
            "PATCH",
            testTenant.path("devices/" + device),
            """
            {"windows":[{"days_of_week":["%s"],"start_time":"%s","duration":"%s"}]}\
            """
                .formatted(day, start, duration))
        .expectStatus(200);
  }

  private static void upgrade(TestTenant testTenant, String device) {
    var upgrade =
        new NewUpgrade(
            "of-" + device, new DeviceId(testTenant.name(), device), new Release("shopd", "2.0"), "ann", "{}", "run-1");
    assertThat(testTenant.server().bean(UpgradeRepository.class).createIfAbsent(upgrade).isRunning()).isTrue();
  }

  private static void fail(TestTenant testTenant, String device) {
    upgrade(testTenant, device);
    var endReason = new UpgradeEnd.EndReason("error", "health-failed", "final", "not healthy within 5 s");
    assertThat(
            testTenant
                .server()
                .bean(UpgradeRepository.class)
                .recordEnd(
                    testTenant.name(),
                    "of-" + device,
                    new UpgradeEnd(Outcome.ROLLED_BACK, Optional.of(endReason), "[]")))
        .isPresent();
  }
}
