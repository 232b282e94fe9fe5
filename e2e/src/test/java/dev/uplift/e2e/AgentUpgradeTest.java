package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.programs.AgentVersion;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackHost;
import dev.uplift.testservers.TestServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// A real server upgrades real agents behind their real launchers.
@Timeout(300)
final class AgentUpgradeTest {
  private static final String AGENT = "uplift-agent";
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final List<Map<String, Object>> WAVES = List.of(Map.of("count", 1), Map.of("rest", true));

  private static Stack stack;
  private static TestRestClient rest;

  @BeforeAll
  static void startServers() {
    stack = TestServers.stack().open();
    stack.server().environment("UPLIFT_PRESENCE_SILENT_AFTER", "PT20S");
    stack.start();
    rest = new TestRestClient(stack, "acme");
    AgentVersion version = stack.agentVersion();
    rest.publish(AGENT, "agent", "2.0.0", 20, version.withName("2.0.0").archive());
    rest.publish(AGENT, "agent", "3.0.0", 30, version.withName("3.0.0").withoutConnectivity().archive());
  }

  @AfterAll
  static void endAll() {
    stack.close();
  }

  @Test
  void agentHandsOverToItsSuccessorAndBackAgain() throws Exception {
    StackHost stackHost = host("there", "parallel");

    var seen = new ArrayList<List<String>>();
    rest.startUpgrade("there", "there", AGENT, "2.0.0").expectStatus(200, 201, 202);
    JsonNode upgrade = awaitEnd("there", stackHost, seen);

    assertThat(upgrade.path("outcome").asString()).as(upgrade.toString()).isEqualTo("upgraded");
    assertThat(steps(upgrade)).containsExactly("prepare", "upgrade", "stop", "commit");
    // The old one is shown for a while after its last heartbeat, so this does not depend on speed.
    assertThat(seen).as("agents at the same time").anyMatch(states -> states.size() == 2);
    assertWorks(stackHost, "2.0.0");
    awaitShown(stackHost, "agent_version", "2.0.0");

    rest.revertUpgrade("there", "back").expectStatus(200, 201);
    JsonNode back = awaitEnd("back", stackHost, seen);

    assertThat(back.path("outcome").asString()).as(back.toString()).isEqualTo("rolled-back");
    assertThat(steps(back)).containsExactly("inspect", "rollback", "stop");
    assertWorks(stackHost, "1.0.0");
  }

  @Test
  void aRolloutUpgradesTheAgentsOfSeveralHosts() throws Exception {
    List<StackHost> fleet =
        List.of(host("fleet-1", "parallel"), host("fleet-2", "parallel"), host("fleet-3", "parallel"));

    rest.startRollout(
        "agents",
        Map.of("package", AGENT, "version", "2.0.0", "selection", "device.startsWith('fleet-')", "waves", WAVES));
    await("the end of the rollout")
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(300))
        .until(() -> rest.rollout("agents").path("state").asString().equals("ended"));

    JsonNode rollout = rest.rollout("agents");
    assertThat(rollout.path("counts").path("succeeded").asInt()).as(rollout.toString()).isEqualTo(3);
    for (StackHost stackHost : fleet) {
      assertWorks(stackHost, "2.0.0");
      awaitShown(stackHost, "agent_version", "2.0.0");
    }
  }

  @Test
  void agentRollsBackASuccessorThatCannotConnect() throws Exception {
    StackHost stackHost = host("lost", "parallel");

    rest.startUpgrade("lost", "lost", AGENT, "3.0.0").expectStatus(200, 201, 202);
    JsonNode upgrade = awaitEnd("lost", stackHost, new ArrayList<>());

    assertThat(upgrade.path("outcome").asString()).as(upgrade.toString()).isEqualTo("rolled-back");
    assertThat(upgrade.path("reason").path("code").asString()).isEqualTo("rolled-back");
    assertThat(upgrade.path("reason").path("message").asString()).contains("no heartbeat of it");
    assertWorks(stackHost, "1.0.0");
    awaitShown(stackHost, "upgrade_error", "3.0.0: no heartbeat of it");
  }

  @Test
  void consecutiveUpgradesOfAnAgentNeedNoStop() throws Exception {
    StackHost stackHost = host("alone", "sequential");

    rest.startUpgrade("alone", "alone", AGENT, "2.0.0").expectStatus(200, 201, 202);
    JsonNode upgrade = awaitEnd("alone", stackHost, new ArrayList<>());

    assertThat(upgrade.path("outcome").asString()).as(upgrade.toString()).isEqualTo("upgraded");
    assertThat(steps(upgrade)).containsExactly("prepare", "upgrade", "commit");
    assertWorks(stackHost, "2.0.0");
  }

  private static StackHost host(String name, String mode) {
    StackHost stackHost =
        stack
            .host("acme", name)
            .withAgentVersion(stack.agentVersion().withName("1.0.0"))
            .withUpgradableAgent(Map.of("mode", mode, "standby_timeout_seconds", "10"));
    stackHost.start();
    rest.putDevice(name, name);
    return stackHost;
  }

  /// Awaits the end, and records in `seen` which agents REST shows on the host meanwhile.
  private static JsonNode awaitEnd(String upgrade, StackHost stackHost, List<List<String>> seen) {
    await("the end of " + upgrade)
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> {
          seen.add(states(shown(stackHost)));
          return !rest.outcome(upgrade).isEmpty();
        });
    seen.add(states(shown(stackHost)));
    return rest.upgrade(upgrade);
  }

  private static JsonNode shown(StackHost stackHost) {
    return rest.get("hosts/" + stackHost.id()).expectStatus(200).body();
  }

  /// Its reports are written to the tables a moment later.
  private static void awaitShown(StackHost stackHost, String field, String text) {
    await(field + " of " + stackHost.id())
        .atMost(TIMEOUT)
        .until(() -> shown(stackHost).path(field).asString("").contains(text));
  }

  private static List<String> states(JsonNode host) {
    return texts(host.path("instances"), "state");
  }

  private static List<String> steps(JsonNode upgrade) {
    return texts(upgrade.path("timeline"), "step");
  }

  private static List<String> texts(JsonNode all, String field) {
    return StreamSupport.stream(all.spliterator(), false).map(each -> each.path(field).asString("")).toList();
  }

  /// Asserts that exactly one agent runs, and that it is the one that the link points to.
  private static void assertWorks(StackHost stackHost, String version) throws Exception {
    await("one agent remains").atMost(TIMEOUT).until(() -> stackHost.agents().keySet().equals(Set.of(version)));
    Path current = Files.readSymbolicLink(stackHost.agentFolder().resolve("current"));
    assertThat(current.getFileName()).hasToString(version);
  }
}
