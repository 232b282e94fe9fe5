package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackHost;
import dev.uplift.testservers.TestServers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// Owners of hosts who hold a package there, in a fleet of two devices.
@Timeout(300)
final class OwnerHoldTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final Stack stack = TestServers.stack().temporalInMemory().open();
  private TestRestClient rest;
  private StackHost left;

  @BeforeEach
  void start() {
    stack.start();
    rest = new TestRestClient(stack, "acme");
    left = host("left");
    var _ = host("right");
    rest.publish("till", "simulated", "2.0", 20);
  }

  @AfterEach
  void stop() {
    stack.close();
  }

  private StackHost host(String name) {
    rest.putDevice(name, name);
    StackHost host =
        stack
            .host("acme", name)
            .withPackage("till", "simulated", Map.of("version", "1.0"))
            .setting("heartbeat_seconds", 1);
    host.start();
    await("the report of " + name)
        .atMost(TIMEOUT)
        .until(() -> rest.get("hosts/" + name).text().contains("\"till\":\"1.0\""));
    return host;
  }

  @Test
  void whatAnOwnerHoldsIsShownAsTheirWordAndRespectedUntilTheyEndIt() {
    assertThat(left.hold("till", "--reason", "stocktaking").exitCode()).isZero();
    await("the server knows").atMost(TIMEOUT).until(() -> pins().size() == 1);

    JsonNode pin = pins().path(0);
    assertThat(pin.path("origin").asString()).isEqualTo("host");
    assertThat(pin.path("host").asString()).isEqualTo("left");
    assertThat(pin.path("reason").asString()).isEqualTo("stocktaking");
    assertThat(rest.startUpgrade("one", "left", "till", "2.0").expectStatus(409).text())
        .contains("till is held on left by its owner", "only its owner ends it");
    rest.startUpgrade("two", "left", "till", "2.0", Map.of("override_pin", true)).expectStatus(409);
    assertThat(rest.get("devices/left/why?package=till").expectStatus(200).text())
        .contains("stocktaking", "its owner set it on the host left, and ends it there");

    rest.startRollout("all", Map.of("package", "till", "version", "2.0", "selection", "true", "everything", true));
    await("the rollout").atMost(TIMEOUT).until(() -> rest.rollout("all").path("state").asString().equals("ended"));
    assertThat(rest.get("rollouts/all/excluded").text()).contains("\"left\"", "held on left by its owner");
    await("the version of right").atMost(TIMEOUT).until(() -> version("right").equals("2.0"));
    assertThat(version("left")).isEqualTo("1.0");

    assertThat(left.hold("till", "--end").exitCode()).isZero();
    await("the end of the hold").atMost(TIMEOUT).until(() -> pins().isEmpty());
    rest.startUpgrade("three", "left", "till", "2.0").expectStatus(201);
    await("the upgrade").atMost(TIMEOUT).until(() -> rest.outcome("three").equals("upgraded"));
  }

  @Test
  void aHostKeepsToAHoldThatTheServerDoesNotKnowYet() {
    left.kill();
    assertThat(left.hold("till", "--reason", "stocktaking").exitCode()).isZero();
    rest.startUpgrade("one", "left", "till", "2.0").expectStatus(201);

    left.start();

    await("the upgrade").atMost(TIMEOUT).until(() -> !rest.outcome("one").isEmpty());
    assertThat(rest.outcome("one")).isEqualTo("declined");
    assertThat(rest.upgrade("one").toString()).containsAnyOf("held-by-owner", "pinned").contains("stocktaking");
    assertThat(version("left")).isEqualTo("1.0");
  }

  private JsonNode pins() {
    return rest.get("devices/left/pins").expectStatus(200).body().path("items");
  }

  private String version(String host) {
    return rest.get("hosts/" + host).expectStatus(200).body().path("versions").path("till").asString();
  }
}
