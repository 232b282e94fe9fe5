package dev.uplift.temporaldev.demo;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.temporaldev.nats.LocalNatsClient;
import dev.uplift.temporaldev.process.Poller;
import dev.uplift.temporaldev.stack.NatsServer;
import dev.uplift.temporaldev.stack.StackHost;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Monitors the running agents of hosts during upgrades of agents, and their states: receives every heartbeat, so that
/// no step of a handover is missed. Running agents without a heartbeat are shown as such.
final class AgentHandoverMonitor implements AutoCloseable {
  static final String NO_HEARTBEAT = "no heartbeat";
  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

  private final Map<String, StackHost> hosts;
  private final BiConsumer<String, String> listener;
  private final LocalNatsClient subscription;
  private final Map<String, SortedMap<String, String>> states = new HashMap<>();
  private final Map<String, Map<String, String>> lastPrinted = new HashMap<>();
  private final Set<String> hostsHandedOver = new HashSet<>();

  /// @param hosts by their names
  /// @param listener gets host and text when a host has two agents, and when it has one again
  AgentHandoverMonitor(
      NatsServer natsServer, String tenant, Map<String, StackHost> hosts, BiConsumer<String, String> listener) {
    this.hosts = Map.copyOf(hosts);
    this.listener = listener;
    subscription = natsServer.subscribe("device-heartbeat." + tenant + ".*.*", this::onHeartbeat);
  }

  private void onHeartbeat(String subject, String heartbeat) {
    String name = subject.split("\\.", -1)[2];
    StackHost stackHost = hosts.get(name);
    if (stackHost != null) {
      JsonNode json = RestClient.JSON.readTree(heartbeat);
      String version = json.at("/versions/uplift-agent").asString("unknown");
      record(name, stackHost, version, json.path("state").asString(""));
    }
  }

  private synchronized void record(String name, StackHost stackHost, String version, String state) {
    SortedMap<String, String> reported = states.computeIfAbsent(name, _ -> new TreeMap<>());
    if (state.equals("running")) {
      // A running agent is alone, except for one just started without a heartbeat yet.
      reported.clear();
    }
    reported.put(version, state);
    Map<String, String> alive = new TreeMap<>(reported);
    stackHost.agents().keySet().forEach(each -> alive.putIfAbsent(each, NO_HEARTBEAT));
    Map<String, String> before = Objects.requireNonNullElse(lastPrinted.put(name, alive), Map.of());
    if (!alive.equals(before) && (alive.size() > 1 || before.size() > 1)) {
      listener.accept(name, describe(alive));
    }
    if (isHandover(alive)) {
      hostsHandedOver.add(name);
    }
  }

  static boolean isHandover(Map<String, String> alive) {
    return alive.containsValue("cutover-ready") && alive.containsValue("standby");
  }

  static String describe(Map<String, String> alive) {
    return alive.entrySet().stream()
        .map(each -> each.getKey() + " " + each.getValue())
        .collect(Collectors.joining(", "));
  }

  /// Returns whether two agents ran on it at once: the old one ready for cutover, the new one in standby.
  synchronized boolean sawHandover(String host) {
    return hostsHandedOver.contains(host);
  }

  /// Blocks until a single agent runs or the time-out has passed. Returns the versions of the agents that run then.
  List<String> awaitSingleAgent(String name, Duration timeout) {
    StackHost stackHost = Objects.requireNonNull(hosts.get(name));
    return List.copyOf(
        new Poller<>(stackHost::agents, POLL_INTERVAL, timeout).poll(agents -> agents.size() == 1).last().keySet());
  }

  @Override
  public void close() {
    subscription.close();
  }
}
