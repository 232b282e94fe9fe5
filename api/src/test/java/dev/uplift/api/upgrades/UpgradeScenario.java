package dev.uplift.api.upgrades;

import dev.uplift.api.server.Answer;
import dev.uplift.api.server.LiveServer;
import dev.uplift.api.server.PlayedHost;
import dev.uplift.api.server.SharedServer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/// What tests of upgrades do over REST. Each has a device of its own.
@ExtendWith(SharedServer.class)
abstract class UpgradeScenario {
  static final String TO_2 = "{\"package\":\"shopd\",\"version\":\"2.0\"}";

  final LiveServer live;

  UpgradeScenario(LiveServer live) {
    this.live = live;
  }

  static String id() {
    return UUID.randomUUID().toString();
  }

  Answer start(PlayedHost host, String id, String body) {
    return live.tenant()
        .operator()
        .with("Idempotency-Key", id)
        .send("POST", live.path("devices/" + host.name() + "/upgrades"), body);
  }

  Answer steer(String id, String what, String body) {
    return live.tenant().operator().send("POST", live.path("upgrades/" + id + "/" + what), body);
  }

  JsonNode awaitEnd(String id) {
    return await(id, upgrade -> upgrade.has("outcome"));
  }

  JsonNode await(String id, Predicate<JsonNode> condition) {
    return Awaitility.await("upgrade " + id)
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> live.tenant().viewer().get(live.path("upgrades/" + id)).is(200).json(),
            condition);
  }

  static boolean waitsFor(JsonNode upgrade, String step) {
    return waiting(upgrade, "step", step);
  }

  static boolean waiting(JsonNode upgrade, String field, String value) {
    return upgrade
        .path("waiting")
        .valueStream()
        .anyMatch(wait -> wait.path(field).asString("").equals(value));
  }

  static List<String> steps(JsonNode upgrade) {
    return upgrade
        .path("timeline")
        .valueStream()
        .map(command -> command.path("step").asString())
        .toList();
  }
}
