package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.AgentVersion;
import dev.uplift.temporaldev.Host;
import dev.uplift.temporaldev.Stack;
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
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static Stack stack;
  private static RestClient rest;

  @BeforeAll
  static void startServers() {
    stack = Stack.temporary().tenant("acme").open();
    stack.server().with("UPLIFT_SILENT_AFTER", "PT20S");
    stack.start();
    rest = new RestClient(stack, "acme");
    AgentVersion version = stack.agentVersion();
    rest.publish(AGENT, "agent", "2.0.0", 20, version.named("2.0.0").archive());
    rest.publish(AGENT, "agent", "3.0.0", 30, version.named("3.0.0").thatCannotConnect().archive());
  }

  @AfterAll
  static void endAll() {
    stack.close();
  }

  @Test
  void agentMakesWayForTheNextOneAndBackAgain() throws Exception {
    Host host = host("there", "beside");

    var seen = new ArrayList<List<String>>();
    rest.start("there", "there", AGENT, "2.0.0").expect(200, 201, 202);
    JsonNode upgrade = awaitEnd("there", host, seen);

    assertThat(upgrade.path("outcome").asString()).as(upgrade.toString()).isEqualTo("upgraded");
    assertThat(steps(upgrade)).containsExactly("prepare", "upgrade", "stop", "commit");
    // The old one is shown for a while after its last heartbeat, so this does not depend on speed.
    assertThat(seen).as("agents alive at once").anyMatch(states -> states.size() == 2);
    assertWorks(host, "2.0.0");
    awaitShown(host, "agent_version", "2.0.0");

    rest.revert("there", "back").expect(200, 201);
    JsonNode back = awaitEnd("back", host, seen);

    assertThat(back.path("outcome").asString()).as(back.toString()).isEqualTo("rolled-back");
    assertThat(steps(back)).containsExactly("inspect", "rollback", "stop");
    assertWorks(host, "1.0.0");
  }

  @Test
  void agentTakesTheNextOneBackThatCannotConnect() throws Exception {
    Host host = host("lost", "beside");

    rest.start("lost", "lost", AGENT, "3.0.0").expect(200, 201, 202);
    JsonNode upgrade = awaitEnd("lost", host, new ArrayList<>());

    assertThat(upgrade.path("outcome").asString()).as(upgrade.toString()).isEqualTo("rolled-back");
    assertThat(upgrade.path("reason").path("code").asString()).isEqualTo("reverted");
    assertThat(upgrade.path("reason").path("text").asString()).contains("no heartbeat of it");
    assertWorks(host, "1.0.0");
    awaitShown(host, "upgrade_error", "3.0.0: no heartbeat of it");
  }

  @Test
  void agentsOneAfterTheOtherNeedNoStop() throws Exception {
    Host host = host("alone", "sequential");

    rest.start("alone", "alone", AGENT, "2.0.0").expect(200, 201, 202);
    JsonNode upgrade = awaitEnd("alone", host, new ArrayList<>());

    assertThat(upgrade.path("outcome").asString()).as(upgrade.toString()).isEqualTo("upgraded");
    assertThat(steps(upgrade)).containsExactly("prepare", "upgrade", "commit");
    assertWorks(host, "2.0.0");
  }

  private static Host host(String name, String mode) {
    Host host =
        stack
            .host("acme", name)
            .installs(stack.agentVersion().named("1.0.0"))
            .upgradesItsAgent(Map.of("mode", mode, "standby_s", "10"));
    host.start();
    rest.putDevice(name, name);
    return host;
  }

  /// Notes meanwhile which agents REST shows on the host.
  private static JsonNode awaitEnd(String upgrade, Host host, List<List<String>> seen) {
    await("the end of " + upgrade)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> {
          seen.add(states(shown(host)));
          return !rest.outcome(upgrade).isEmpty();
        });
    seen.add(states(shown(host)));
    return rest.upgrade(upgrade);
  }

  private static JsonNode shown(Host host) {
    return rest.get("hosts/" + host.id()).expect(200).body();
  }

  /// What it says of itself is written down a moment later.
  private static void awaitShown(Host host, String field, String text) {
    await(field + " of " + host.id())
        .atMost(PATIENCE)
        .until(() -> shown(host).path(field).asString("").contains(text));
  }

  private static List<String> states(JsonNode host) {
    return texts(host.path("instances"), "state");
  }

  private static List<String> steps(JsonNode upgrade) {
    return texts(upgrade.path("timeline"), "step");
  }

  private static List<String> texts(JsonNode all, String field) {
    return StreamSupport.stream(all.spliterator(), false)
        .map(each -> each.path(field).asString(""))
        .toList();
  }

  /// One alone does, and by the link it is to.
  private static void assertWorks(Host host, String version) throws Exception {
    await("one agent is left")
        .atMost(PATIENCE)
        .until(() -> host.agents().keySet().equals(Set.of(version)));
    Path current = Files.readSymbolicLink(host.agentFolder().resolve("current"));
    assertThat(current.getFileName()).hasToString(version);
  }
}
