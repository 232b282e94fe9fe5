package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.programs.AgentVersion;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import tools.jackson.databind.JsonNode;

/// A device of one host whose agent is at 1.0.0, and the upgrade of that agent.
final class AgentUpgradeScenario {
  static final String AGENT = "uplift-agent";

  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String GATES =
      """
      gate() {
        : >"$UPLIFT_AGENT_ROOT/at-$1"
        until [ -e "$UPLIFT_AGENT_ROOT/go-$1" ]; do sleep 0.1; done
      }
      case "$*" in *--self-test*) gate test ;; *) gate start ;; esac
      exec "$REAL" "$@"\
      """;

  private final TestRestClient rest;
  private final StackHost host;

  private AgentUpgradeScenario(TestRestClient rest, StackHost host) {
    this.rest = rest;
    this.host = host;
  }

  /// Its agent does not run yet.
  static AgentUpgradeScenario in(
      Stack stack, TestRestClient rest, String name, Map<String, String> settings) {
    var all = new HashMap<>(Map.of("mode", "parallel"));
    all.putAll(settings);
    StackHost stackHost = stack.host("acme", name);
    stackHost.withAgentVersion(stack.agentVersion().withName("1.0.0")).withUpgradableAgent(all);
    rest.putDevice(name, name);
    return new AgentUpgradeScenario(rest, stackHost);
  }

  /// Before its self-test, and before it begins, it waits until it may [#openGate].
  static AgentVersion gated(AgentVersion version) {
    return version.withRuntime("gated", GATES);
  }

  StackHost host() {
    return host;
  }

  AgentUpgradeScenario boot() {
    host.start();
    return this;
  }

  AgentUpgradeScenario upgrade(String version) {
    return upgrade(host.id(), version, Map.of());
  }

  AgentUpgradeScenario upgrade(String id, String version, Map<String, Object> wish) {
    rest.startUpgrade(id, host.id(), AGENT, version, wish).expectStatus(200, 201, 202);
    return this;
  }

  void awaitGate(String gate) {
    awaitThat("at gate " + gate, () -> Files.exists(host.agentFolder().resolve("at-" + gate)));
  }

  void openGate(String gate) throws IOException {
    Files.createFile(host.agentFolder().resolve("go-" + gate));
  }

  /// The new one has found the server, and waits.
  void awaitStandby() {
    awaitThat("one stands by", () -> Files.exists(host.folder().resolve("run/standby")));
  }

  void awaitOnlyRunning(String version) {
    awaitThat(
        version + " is left alone on " + host.id(),
        () -> host.agents().keySet().equals(Set.of(version)));
  }

  static void awaitThat(String what, Callable<Boolean> condition) {
    await(what).atMost(TIMEOUT).pollInterval(Duration.ofMillis(50)).until(condition);
  }

  JsonNode awaitEnd() {
    return awaitEnd(host.id());
  }

  JsonNode awaitEnd(String id) {
    await("the end of " + id)
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(300))
        .until(() -> !rest.outcome(id).isEmpty());
    return rest.upgrade(id);
  }

  /// One alone does, the disk says so, and the server knows.
  void assertOnlyRunning(String version) throws IOException {
    awaitOnlyRunning(version);
    Path current = Files.readSymbolicLink(host.agentFolder().resolve("current"));
    assertThat(current.getFileName()).hasToString(version);
    assertThat(Files.exists(host.agentFolder().resolve("trial"))).isFalse();
    awaitThat(
        "the server knows", () -> hostView().path("agent_version").asString("").equals(version));
    // Of one that has ended the last word is shown for a while.
    assertThat(hostView().path("instances"))
        .filteredOn(each -> each.path("state").asString().equals("running"))
        .extracting(each -> each.path("version").asString())
        .containsExactly(version);
  }

  /// As REST shows the host.
  JsonNode hostView() {
    return rest.get("hosts/" + host.id()).expectStatus(200).body();
  }
}
