package dev.uplift.api.upgrades;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.LiveServer;
import dev.uplift.api.testing.StubHost;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.UpgradeScenario;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Upgrades of devices with maintenance windows, and upgrades that another person has to approve.
final class WindowedUpgradesTest extends UpgradeScenario {
  private static final ZoneId KATHMANDU = ZoneId.of("Asia/Kathmandu");
  private static final String ALWAYS = window(LocalTime.MIDNIGHT, "24h");

  WindowedUpgradesTest(LiveServer live) {
    super(live);
  }

  private static String window(LocalTime start, String duration) {
    return """
    [{"days_of_week":["mon","tue","wed","thu","fri","sat","sun"],"start_time":"%s","duration":"%s"}]\
    """
        .formatted(start, duration);
  }

  /// Returns a window that opens half a day from now in the zone of the site.
  private static String later() {
    return window(LocalTime.now(KATHMANDU).plusHours(12).truncatedTo(ChronoUnit.MINUTES), "2h");
  }

  private void patch(StubHost host, String fields) {
    live.tenant()
        .admin()
        .send("PATCH", live.path("devices/" + host.name()), "{%s}".formatted(fields))
        .expectStatus(200);
  }

  private StubHost closed() {
    StubHost host = live.newHost();
    patch(host, "\"zone\":\"Asia/Kathmandu\",\"windows\":" + later());
    return host;
  }

  private static String to2(String more) {
    return "{\"package\":\"shopd\",\"version\":\"2.0\",%s}".formatted(more);
  }

  private TestResponse byAnother(String id, String what) {
    return live.tenant().admin().send("POST", live.path("upgrades/" + id + "/" + what), "{\"reason\":\"seen it run\"}");
  }

  @Test
  void startOutsideOfItsWindowsIsRejectedWithTheNextThree() {
    try (StubHost host = closed()) {
      TestResponse refused = start(host, id(), TO_2).expectStatus(409);

      assertThat(refused.detail()).contains("outside of its windows", "with wait", "+05:45", "Asia/Kathmandu", "Z");
      JsonNode next = refused.json().path("next_openings");
      assertThat(next).hasSize(3);
      assertThat(next.path(0).path("local_opens_at").asString()).endsWith("+05:45");
      assertThat(Instant.parse(next.path(0).path("opens_at").asString())).isAfter(Instant.now());
      start(host, id() + "?validate=true", TO_2).expectStatus(400);
      live.tenant()
          .operator()
          .send("POST", live.path("devices/" + host.name() + "/upgrades?validate=true"), TO_2)
          .expectStatus(409);
    }
  }

  @Test
  void aStartThatIsDaysBeforeItsWindowIsRefusedWithBothWaysOut() {
    try (StubHost host = live.newHost()) {
      String day = LocalDate.now(ZoneOffset.UTC).plusDays(3).getDayOfWeek().toString().toLowerCase(Locale.ROOT);
      patch(
          host,
          "\"zone\":\"UTC\",\"windows\":[{\"days_of_week\":[\"%s\"],\"start_time\":\"02:00\",\"duration\":\"4h\"}]"
              .formatted(day));

      String refused = start(host, id(), TO_2).expectStatus(409).detail();

      assertThat(refused).contains("with wait_for_window it starts", "with ignore_windows and a reason");
      assertThat(refused).as("times in whole seconds").doesNotContainPattern("[0-9]\\.[0-9]+Z");
    }
  }

  @Test
  void windowThatIsNeverLongEnoughIsRejectedEvenWithWaitForWindow() {
    try (StubHost host = closed()) {
      TestResponse refused =
          start(host, id(), to2("\"wait_for_window\":true,\"required_time_seconds\":7260")).expectStatus(409);

      assertThat(refused.detail()).contains("has 2h1m left");
      assertThat(refused.json().path("next_openings")).hasSize(3);
    }
  }

  @Test
  void waitingUpgradeIsPreparedAndFollowsAChangedWindow() {
    try (StubHost host = closed()) {
      String id = id();
      start(host, id, to2("\"wait_for_window\":true,\"on_close\":\"stop-before-next-host\"")).expectStatus(201);

      JsonNode waits = await(id, upgrade -> hasWait(upgrade, "reason", "window"));
      assertThat(waits.path("phase").asString()).isEqualTo("wait");
      assertThat(waits.path("on_close").asString()).isEqualTo("stop-before-next-host");
      assertThat(waits.path("waiting").path(0).path("message").asString())
          .startsWith("its window: ")
          .contains("+05:45", "Z");
      assertThat(Instant.parse(waits.path("not_after").asString())).isAfter(Instant.now().plus(Duration.ofDays(13)));
      assertThat(steps(waits)).containsExactly("prepare");

      patch(host, "\"windows\":" + ALWAYS);

      assertThat(awaitEnd(id).path("outcome").asString()).isEqualTo("upgraded");
    }
  }

  @Test
  void waitingUpgradeFollowsTheRemovalOfALabelsWindow() {
    try (StubHost host = live.newHost()) {
      String label = live.path("label-windows/site/" + host.name());
      live.tenant().admin().send("PUT", label, "{\"windows\":%s}".formatted(later())).expectStatus(201);
      patch(host, "\"labels\":{\"site\":\"%s\"}".formatted(host.name()));
      String id = id();
      start(host, id, to2("\"wait_for_window\":true")).expectStatus(201);
      await(id, upgrade -> hasWait(upgrade, "reason", "window"));

      live.tenant().admin().send("DELETE", label, "").expectStatus(204);

      assertThat(awaitEnd(id).path("outcome").asString()).isEqualTo("upgraded");
    }
  }

  @Test
  void ignoredWindowsNeedAReasonThatIsRecorded() {
    try (StubHost host = closed()) {
      String id = id();
      assertThat(start(host, id, to2("\"ignore_windows\":true")).expectStatus(400).texts("errors", "pointer"))
          .containsExactly("/reason");
      assertThat(
              start(host, id, to2("\"wait_for_window\":true,\"ignore_windows\":true,\"reason\":\"a hole\""))
                  .expectStatus(400)
                  .texts("errors", "pointer"))
          .containsExactly("/wait_for_window");
      assertThat(start(host, id, to2("\"reason\":\"x\"")).expectStatus(400).texts("errors", "pointer"))
          .containsExactly("/reason");

      start(host, id, to2("\"ignore_windows\":true,\"reason\":\"a hole in TLS\"")).expectStatus(201);

      assertThat(awaitEnd(id).path("outcome").asString()).isEqualTo("upgraded");
      assertThat(live.tenant().viewer().get(live.path("audit?target=upgrade/" + id)).texts("items", "detail"))
          .containsExactly("shopd 2.0 to %s, windows ignored: a hole in TLS".formatted(host.name()));
    }
  }

  @Test
  void rollBackOnCloseNeedsARollbackScope() {
    try (StubHost host = live.newHost()) {
      assertThat(
              start(host, id(), to2("\"rollback_scope\":\"none\",\"on_close\":\"roll-back\""))
                  .expectStatus(400)
                  .texts("errors", "pointer"))
          .containsExactly("/on_close");
    }
  }

  @Test
  void anotherPersonApproves() {
    try (StubHost host = live.newHost()) {
      String id = id();
      start(host, id, to2("\"require_approval\":true")).expectStatus(201);
      JsonNode waits = await(id, upgrade -> hasWait(upgrade, "reason", "approval"));
      assertThat(waits.path("waiting").path(0).path("message").asString())
          .isEqualTo("another person than operator to approve it");

      assertThat(sendAction(id, "approve", "{}").expectStatus(403).detail()).contains("another person");
      byAnother(id, "approve").expectStatus(200);

      assertThat(awaitEnd(id).path("outcome").asString()).isEqualTo("upgraded");
      assertThat(live.tenant().viewer().get(live.path("audit?target=upgrade/" + id)).texts("items", "action"))
          .containsExactly("upgrade.approve", "upgrade.start");
    }
  }

  @Test
  void anotherPersonDenies() {
    try (StubHost host = live.newHost()) {
      String id = id();
      start(host, id, to2("\"require_approval\":true")).expectStatus(201);
      await(id, upgrade -> hasWait(upgrade, "reason", "approval"));

      assertThat(sendAction(id, "deny", "{}").expectStatus(403).detail()).contains("another person");
      byAnother(id, "deny").expectStatus(200);

      JsonNode ended = awaitEnd(id);
      assertThat(ended.path("outcome").asString()).isEqualTo("declined");
      assertThat(ended.path("reason").path("code").asString()).isEqualTo("denied");
      assertThat(ended.path("reason").path("message").asString()).isEqualTo("admin: seen it run");
      assertThat(steps(ended)).doesNotContain("upgrade");
    }
  }

  @Test
  void deadlineIsOnlyExtended() {
    try (StubHost host = closed()) {
      String id = id();
      start(host, id, to2("\"wait_for_window\":true")).expectStatus(201);
      JsonNode waits = await(id, upgrade -> hasWait(upgrade, "reason", "window"));
      Instant deadline = Instant.parse(waits.path("not_after").asString());

      assertThat(extend(id, deadline.minusSeconds(60)).expectStatus(409).detail()).contains("has until");
      assertThat(extend(id, Instant.now().plus(Duration.ofDays(15))).expectStatus(400).detail())
          .contains("at most 14 days");
      assertThat(extend(id, Instant.now().minusSeconds(1)).expectStatus(400).detail()).contains("in the future");
      assertThat(sendAction(id, "extend-deadline", "{}").expectStatus(400).detail()).contains("not_after");
      assertThat(byAnother(id, "approve").expectStatus(409).detail()).contains("needs no approval");
      Instant later = deadline.plusMillis(1);
      assertThat(extend(id, later).expectStatus(200).json().path("message").asString()).contains("until");
      assertThat(Instant.parse(await(id, _ -> true).path("not_after").asString())).isEqualTo(later);

      sendAction(id, "abort", "{}").expectStatus(200);
      assertThat(awaitEnd(id).path("outcome").asString()).isEqualTo("aborted");
    }
  }

  private TestResponse extend(String id, Instant notAfter) {
    return sendAction(id, "extend-deadline", "{\"not_after\":\"%s\"}".formatted(notAfter));
  }
}
