package dev.uplift.api.testing;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/// The requests of tests of upgrades. Each test has a device of its own.
@ExtendWith(SharedServerExtension.class)
public abstract class UpgradeScenario {
  protected static final String TO_2 = "{\"package\":\"shopd\",\"version\":\"2.0\"}";

  protected final LiveServer live;

  protected UpgradeScenario(LiveServer live) {
    this.live = live;
  }

  protected static String id() {
    return UUID.randomUUID().toString();
  }

  protected TestResponse start(StubHost host, String id, String body) {
    return live.tenant()
        .operator()
        .withHeader("Idempotency-Key", id)
        .send("POST", live.path("devices/" + host.name() + "/upgrades"), body);
  }

  protected TestResponse sendAction(String id, String what, String body) {
    return live.tenant().operator().send("POST", live.path("upgrades/" + id + "/" + what), body);
  }

  protected JsonNode awaitEnd(String id) {
    return await(id, upgrade -> upgrade.has("outcome"));
  }

  protected JsonNode await(String id, Predicate<JsonNode> condition) {
    return Awaitility.await("upgrade " + id)
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofMillis(100))
        .until(() -> live.tenant().viewer().get(live.path("upgrades/" + id)).expectStatus(200).json(), condition);
  }

  protected static boolean waitsFor(JsonNode upgrade, String step) {
    return hasWait(upgrade, "step", step);
  }

  protected static boolean hasWait(JsonNode upgrade, String field, String value) {
    return upgrade.path("waiting").valueStream().anyMatch(wait -> wait.path(field).asString("").equals(value));
  }

  protected static List<String> steps(JsonNode upgrade) {
    return upgrade.path("timeline").valueStream().map(command -> command.path("step").asString()).toList();
  }
}
