package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.AgentVersion;
import dev.uplift.temporaldev.Host;
import dev.uplift.temporaldev.Stack;
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
final class AgentSite {
  static final String AGENT = "uplift-agent";

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String GATES =
      """
      gate() {
        : >"$UPLIFT_AGENT_ROOT/at-$1"
        until [ -e "$UPLIFT_AGENT_ROOT/go-$1" ]; do sleep 0.1; done
      }
      case "$*" in *--self-test*) gate test ;; *) gate start ;; esac
      exec "$REAL" "$@"\
      """;

  private final RestClient rest;
  private final Host host;

  private AgentSite(RestClient rest, Host host) {
    this.rest = rest;
    this.host = host;
  }

  /// Its agent does not run yet.
  static AgentSite in(Stack stack, RestClient rest, String name, Map<String, String> settings) {
    var all = new HashMap<>(Map.of("mode", "beside"));
    all.putAll(settings);
    Host host = stack.host("acme", name);
    host.installs(stack.agentVersion().named("1.0.0")).upgradesItsAgent(all);
    rest.putDevice(name, name);
    return new AgentSite(rest, host);
  }

  /// Before its self-test, and before it begins, it waits until it may [#pass].
  static AgentVersion gated(AgentVersion version) {
    return version.onRuntime("gated", GATES);
  }

  Host host() {
    return host;
  }

  AgentSite boot() {
    host.start();
    return this;
  }

  AgentSite upgrade(String version) {
    return upgrade(host.id(), version, Map.of());
  }

  AgentSite upgrade(String id, String version, Map<String, Object> wish) {
    rest.start(id, host.id(), AGENT, version, wish).expect(200, 201, 202);
    return this;
  }

  void awaitGate(String gate) {
    awaitThat("at gate " + gate, () -> Files.exists(host.agentFolder().resolve("at-" + gate)));
  }

  void pass(String gate) throws IOException {
    Files.createFile(host.agentFolder().resolve("go-" + gate));
  }

  /// The new one has found the server, and waits.
  void awaitStandby() {
    awaitThat("one stands by", () -> Files.exists(host.folder().resolve("run/standby")));
  }

  void awaitAlone(String version) {
    awaitThat(
        version + " is left alone on " + host.id(),
        () -> host.agents().keySet().equals(Set.of(version)));
  }

  static void awaitThat(String what, Callable<Boolean> condition) {
    await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(condition);
  }

  JsonNode awaitEnd() {
    return awaitEnd(host.id());
  }

  JsonNode awaitEnd(String id) {
    await("the end of " + id)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(300))
        .until(() -> !rest.outcome(id).isEmpty());
    return rest.upgrade(id);
  }

  /// One alone does, the disk says so, and the server knows.
  void assertWorks(String version) throws IOException {
    awaitAlone(version);
    Path current = Files.readSymbolicLink(host.agentFolder().resolve("current"));
    assertThat(current.getFileName()).hasToString(version);
    assertThat(Files.exists(host.agentFolder().resolve("trial"))).isFalse();
    awaitThat("the server knows", () -> seen().path("agent_version").asString("").equals(version));
    // Of one that has ended the last word is shown for a while.
    assertThat(seen().path("instances"))
        .filteredOn(each -> each.path("state").asString().equals("running"))
        .extracting(each -> each.path("version").asString())
        .containsExactly(version);
  }

  /// As REST shows the host.
  JsonNode seen() {
    return rest.get("hosts/" + host.id()).expect(200).body();
  }
}
