package dev.uplift.api.rollouts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.LiveServer;
import dev.uplift.api.testing.StubHost;
import dev.uplift.api.testing.UpgradeScenario;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// A window of a site that opens during the test, on real servers.
final class LiveWindowTest extends UpgradeScenario {
  private static final ZoneId KATHMANDU = ZoneId.of("Asia/Kathmandu");

  /// Time for the servers to receive the window before it opens.
  private static final Duration AHEAD = Duration.ofSeconds(8);

  private final String id = "r" + UUID.randomUUID().toString().substring(0, 8);

  LiveWindowTest(LiveServer live) {
    super(live);
  }

  /// Returns the next full minute that is far enough in the future.
  private static ZonedDateTime opening() {
    ZonedDateTime minute = ZonedDateTime.now(KATHMANDU).truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
    return Instant.now().plus(AHEAD).isBefore(minute.toInstant()) ? minute : minute.plusMinutes(1);
  }

  private void place(StubHost host, ZonedDateTime opening, String label) {
    String body =
        """
        {"labels":{"rollout":"%s"},"zone":"Asia/Kathmandu","windows":[{"days_of_week":["%s"],
         "start_time":"%02d:%02d","duration":"1h"}]}\
        """
            .formatted(label, opening.getDayOfWeek(), opening.getHour(), opening.getMinute());
    live.tenant().admin().send("PATCH", live.path("devices/" + host.name()), body).expectStatus(200);
  }

  @Test
  @Timeout(600)
  void devicesArePreparedBeforeTheirWindowAndUpgradedOnlyInsideIt() {
    try (StubHost ofRollout = live.newHost();
        StubHost single = live.newHost()) {
      ZonedDateTime later = opening().plusHours(12);
      place(ofRollout, later, id);
      place(single, later, "none");
      String alone = id();
      String inRollout = "%s.%s.1".formatted(id, ofRollout.name());
      start(single, alone, "{\"package\":\"shopd\",\"version\":\"2.0\",\"wait_for_window\":true}").expectStatus(201);
      create();
      await(alone, upgrade -> hasWait(upgrade, "reason", "window"));
      awaitStart(inRollout);
      await(inRollout, upgrade -> hasWait(upgrade, "reason", "proceed"));

      ZonedDateTime opening = opening();
      place(ofRollout, opening, id);
      place(single, opening, "none");

      assertInside(awaitEndWithin(alone), opening.toInstant());
      assertInside(awaitEndWithin(inRollout), opening.toInstant());
      assertThat(rollout(found -> found.has("outcome")).path("outcome").asString()).isEqualTo("upgraded");
    }
  }

  private void awaitStart(String upgrade) {
    Awaitility.await("start of " + upgrade)
        .atMost(Duration.ofSeconds(90))
        .until(() -> live.tenant().viewer().get(live.path("upgrades/" + upgrade)).status() == 200);
  }

  /// Awaits up to a minute and some seconds until it opens, and some time for a busy machine.
  private JsonNode awaitEndWithin(String upgrade) {
    return Awaitility.await("end of " + upgrade)
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofMillis(250))
        .until(
            () -> live.tenant().viewer().get(live.path("upgrades/" + upgrade)).expectStatus(200).json(),
            found -> found.has("outcome"));
  }

  private JsonNode rollout(Predicate<JsonNode> condition) {
    return Awaitility.await("rollout " + id)
        .atMost(Duration.ofSeconds(90))
        .until(() -> live.tenant().viewer().get(live.path("rollouts/" + id)).expectStatus(200).json(), condition);
  }

  private void create() {
    String body =
        """
        {"package":"shopd","version":"2.0","selection":"labels.rollout == '%s'","everything":true}\
        """
            .formatted(id);
    live.tenant()
        .operator()
        .withHeader("Idempotency-Key", id)
        .send("POST", live.path("rollouts"), body)
        .expectStatus(201);
  }

  /// Asserts that the host was prepared before the opening and changed after it.
  private static void assertInside(JsonNode upgrade, Instant opens) {
    assertThat(upgrade.path("outcome").asString()).isEqualTo("upgraded");
    assertThat(steps(upgrade)).containsExactly("prepare", "upgrade");
    JsonNode prepare = upgrade.path("timeline").path(0);
    JsonNode change = upgrade.path("timeline").path(1);
    assertThat(Instant.parse(prepare.path("created_at").asString())).isBefore(opens);
    assertThat(Instant.parse(change.path("created_at").asString())).isBetween(opens, opens.plus(Duration.ofHours(1)));
  }
}
