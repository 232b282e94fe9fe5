package dev.uplift.e2e;

import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.Host;
import dev.uplift.temporaldev.Stack;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// A device of one host whose `os` is to go from 1.4.0 to 1.5.0 with a reboot, and the upgrade that
/// does it.
final class RebootingSite {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /// All that happens to the host when all goes well.
  static final List<String> EACH_ONCE = List.of("prepare 1.5.0", "upgrade 1.5.0", "boot 1.5.0");

  private final RestClient rest;
  private final String name;
  private final Host host;
  private final ScriptedOs os;
  private final String bootBefore;

  private RebootingSite(RestClient rest, String name, Host host, ScriptedOs os) {
    this.rest = rest;
    this.name = name;
    this.host = host;
    this.os = os;
    this.bootBefore = host.bootId();
  }

  /// Its agent runs; the upgrade is not started yet.
  static RebootingSite in(Stack stack, RestClient rest, String name) {
    Host host = stack.host("acme", name);
    ScriptedOs os = ScriptedOs.on(host, "1.4.0");
    host.start();
    rest.putDevice(name, name);
    rest.publish("os", "script", "1.5.0", 150);
    return new RebootingSite(rest, name, host, os);
  }

  void startUpgrade() {
    rest.start(name, name, "os", "1.5.0").expect(200, 201, 202);
  }

  void awaitEffect(String effect) {
    await(effect).atMost(PATIENCE).until(() -> os.effects().contains(effect));
  }

  /// The upgrade has had the host go away.
  void awaitGone() {
    await("the host goes away")
        .atMost(PATIENCE)
        .until(() -> !host.isRunning() && !host.bootId().equals(bootBefore));
  }

  /// How the upgrade has ended.
  JsonNode awaitEnd() {
    await("the end of " + name)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> !rest.outcome(name).isEmpty());
    return rest.upgrade(name);
  }

  String workflowId() {
    return "upgrade/acme/" + name;
  }

  Host host() {
    return host;
  }

  ScriptedOs os() {
    return os;
  }
}
