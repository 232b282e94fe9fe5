package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// A policy on a real stack: it waits for a release, brings it to its devices, takes in one that comes later, gives way
/// to a newer release, and is woken by whatever concerns it. By itself it looks at its devices once an hour.
@Timeout(300)
final class PolicyTest {
  private static final String TENANT = "acme";
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final Stack stack = TestServers.stack().open();

  @AfterEach
  void endAll() {
    stack.close();
  }

  @Test
  void devicesFollowWhatIsAskedOfThem() throws Exception {
    SimulatedFleet.withShortTimeouts(stack.server());
    stack.start();
    var rest = new TestRestClient(stack, TENANT);
    startHosts(rest, 4);
    rest.publish("shopd", "simulated", "1.0", 10);
    for (String device : List.of("sim-001", "sim-002", "sim-003")) {
      rest.putDevice(device, device, "ring", "1");
    }
    await("all are heard").atMost(TIMEOUT).until(() -> runOn(rest, "1.0", 3));
    rest.call("POST", "devices/sim-003/hold", Map.of("reason", "being rebuilt")).expectStatus(200);
    rest.call("PUT", "policies/all", policy(Map.of("at_least", "2.0"))).expectStatus(201);
    rest.call("POST", "policies/all/enable", Map.of()).expectStatus(200);
    assertThat(status(rest).path("missing").asString()).isEqualTo("shopd 2.0 is not published");

    rest.publish("shopd", "simulated", "2.0", 20);

    awaitSatisfied(rest, 2);
    assertThat(status(rest).path("not_satisfied").path(0).path("reason").asString()).isEqualTo("held");
    assertThat(status(rest).path("not_satisfied").path(0).path("message").asString()).contains("being rebuilt");

    rest.call("DELETE", "devices/sim-003/hold", Map.of()).expectStatus(200);
    rest.putDevice("sim-004", "sim-004", "ring", "1");
    awaitSatisfied(rest, 4);
    assertThat(status(rest).path("complete").asBoolean()).isTrue();

    rest.publish("shopd", "simulated", "3.0", 30);
    rest.call("PUT", "policies/all", policy(Map.of("at_least", "3.0"))).expectStatus(200);
    await("all have the newer one").atMost(TIMEOUT).until(() -> runOn(rest, "3.0", 4));
    assertThat(
            rest.get("devices/sim-001/policies")
                .expectStatus(200)
                .body()
                .path("items")
                .path(0)
                .path("decides")
                .asBoolean())
        .isTrue();
    assertThat(status(rest).path("rollouts").valueStream().map(rollout -> rollout.path("id").asString()))
        .isNotEmpty()
        .allMatch(id -> id.startsWith("all-"));
  }

  @Test
  void aMovedChannelALabelAPinAndAStopWakeIt() throws Exception {
    SimulatedFleet.withShortTimeouts(stack.server());
    stack.start();
    var rest = new TestRestClient(stack, TENANT);
    startHosts(rest, 2);
    for (int major = 1; major <= 4; major++) {
      rest.publish("shopd", "simulated", major + ".0", 10L * major);
    }
    rest.putDevice("sim-001", "sim-001", "ring", "1");
    rest.putDevice("sim-002", "sim-002", "ring", "2");
    await("all are heard").atMost(TIMEOUT).until(() -> runOn(rest, "1.0", 2));
    rest.call("PUT", "policies/all", policy(Map.of("channel", "stable"))).expectStatus(201);
    rest.call("POST", "policies/all/enable", Map.of()).expectStatus(200);

    moveChannel(rest, "2.0", 201);
    awaitSatisfied(rest, 1);

    rest.putDevice("sim-002", "sim-002", "ring", "1");
    awaitSatisfied(rest, 2);

    rest.call("PUT", "devices/sim-001/pins/shopd", Map.of("version", "2.0", "reason", "certified")).expectStatus(201);
    moveChannel(rest, "3.0", 200);
    await("the other device follows").atMost(TIMEOUT).until(() -> runOn(rest, "3.0", 1));
    JsonNode pinned = why(rest, "sim-001");
    assertThat(pinned.at("/links/0/message").asString()).isEqualTo("the policy all wants shopd 3.0");
    assertThat(pinned.at("/answer/word").asString()).isEqualTo("pinned");
    assertThat(pinned.at("/answer/remedy").asString()).isEqualTo("`uplift pin remove sim-001 shopd` ends it");
    rest.call("DELETE", "devices/sim-001/pins/shopd", Map.of()).expectStatus(204);
    awaitSatisfied(rest, 2);
    assertThat(why(rest, "sim-001").at("/answer/word").asString()).isEqualTo("up-to-date");

    rest.call("PUT", "stop", Map.of("reason", "fair in town")).expectStatus(200);
    moveChannel(rest, "4.0", 200);
    await("the policy knows of the stop").atMost(TIMEOUT).until(() -> count(rest, "blocked") == 2);
    assertThat(status(rest).path("not_satisfied").path(0).path("reason").asString()).isEqualTo("stopped");
    assertThat(why(rest, "sim-002").at("/answer/word").asString()).isEqualTo("stopped");
    rest.call("DELETE", "stop", Map.of()).expectStatus(200);
    await("all have the newest").atMost(TIMEOUT).until(() -> runOn(rest, "4.0", 2));
  }

  private static void moveChannel(TestRestClient rest, String version, int status) {
    rest.call("PUT", "packages/shopd/channels/stable", Map.of("version", version)).expectStatus(status);
  }

  private static JsonNode why(TestRestClient rest, String device) {
    return rest.get("devices/" + device + "/why?package=shopd").expectStatus(200).body().at("/packages/0");
  }

  private static int count(TestRestClient rest, String state) {
    return status(rest).path("counts").path(state).asInt(0);
  }

  private static Map<String, Object> policy(Map<String, Object> target) {
    return new TreeMap<>(
        Map.of(
            "package",
            "shopd",
            "target",
            target,
            "selection",
            "labels.ring == '1'",
            "everything",
            true,
            "rollout",
            Map.of("waves", List.of(Map.of("count", 1), Map.of("rest", true)))));
  }

  private static JsonNode status(TestRestClient rest) {
    return rest.get("policies/all/status").expectStatus(200).body();
  }

  private static void awaitSatisfied(TestRestClient rest, int devices) {
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> {
          JsonNode status = status(rest);
          assertThat(status.path("counts").path("satisfied").asInt(0)).as("%s", status).isEqualTo(devices);
        });
  }

  private static boolean runOn(TestRestClient rest, String version, int hosts) {
    return rest.get("hosts")
            .expectStatus(200)
            .body()
            .path("items")
            .valueStream()
            .filter(host -> host.path("presence").asString("").equals("online"))
            .filter(host -> host.path("versions").path("shopd").asString("").equals(version))
            .filter(host -> host.path("device").isString())
            .count()
        == hosts;
  }

  private void startHosts(TestRestClient rest, int count) {
    stack
        .simulator(
            List.of(
                "--nats",
                stack.nats().url(),
                "--credentials",
                stack.nats().operator().fleetCredentials(TENANT).toString(),
                "--trust",
                stack.secrets().trustFolder(TENANT).toString(),
                "--tenant",
                TENANT,
                "--hosts",
                "sim-###",
                "--first",
                "1",
                "--count",
                Integer.toString(count),
                "--heartbeat-seconds",
                "1",
                "--ramp-up-seconds",
                "1",
                "--package",
                "shopd=1.0"))
        .launch();
    assertThat(rest.get("devices").expectStatus(200).body().path("items")).isEmpty();
  }
}
