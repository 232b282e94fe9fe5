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

  /// Creates the device. Its agent is not started yet.
  static AgentUpgradeScenario in(Stack stack, TestRestClient rest, String name, Map<String, String> settings) {
    var all = new HashMap<>(Map.of("mode", "parallel"));
    all.putAll(settings);
    StackHost stackHost = stack.host("acme", name);
    stackHost.withAgentVersion(stack.agentVersion().withName("1.0.0")).withUpgradableAgent(all);
    rest.putDevice(name, name);
    return new AgentUpgradeScenario(rest, stackHost);
  }

  /// Returns a version that waits for [#openGate] before its self-test and before its start.
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

  /// Waits until the new agent has connected and stands by.
  void awaitStandby() {
    awaitThat("an agent stands by", () -> Files.exists(host.folder().resolve("run/standby")));
  }

  /// Waits until the trial counts from this uptime or later, in seconds. Returns the uptime.
  long awaitTrialAfter(long uptime) {
    Path since = host.agentFolder().resolve("since");
    return await("the trial counts from after " + uptime)
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .until(
            () ->
                Files.readAllLines(since).stream()
                    .filter(line -> line.startsWith("uptime="))
                    .mapToLong(line -> Long.parseLong(line.substring("uptime=".length())))
                    .findFirst()
                    .orElse(-1),
            from -> from >= uptime);
  }

  void awaitOnlyRunning(String version) {
    awaitThat(version + " runs alone on " + host.id(), () -> host.agents().keySet().equals(Set.of(version)));
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

  /// Asserts that exactly one agent runs, according to processes, disk and server.
  void assertOnlyRunning(String version) throws IOException {
    awaitOnlyRunning(version);
    Path current = Files.readSymbolicLink(host.agentFolder().resolve("current"));
    assertThat(current.getFileName()).hasToString(version);
    assertThat(Files.exists(host.agentFolder().resolve("trial"))).isFalse();
    awaitThat("the server knows", () -> hostView().path("agent_version").asString("").equals(version));
    // The last heartbeat of an agent that has ended is shown for a while.
    assertThat(hostView().path("instances"))
        .filteredOn(each -> each.path("state").asString().equals("running"))
        .extracting(each -> each.path("version").asString())
        .containsExactly(version);
  }

  /// Returns the host from REST.
  JsonNode hostView() {
    return rest.get("hosts/" + host.id()).expectStatus(200).body();
  }
}
