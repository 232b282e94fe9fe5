package dev.uplift.temporaldev.demo;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.temporaldev.nats.NatsSubscription;
import dev.uplift.temporaldev.scenario.Sleeper;
import dev.uplift.temporaldev.stack.NatsServer;
import dev.uplift.temporaldev.stack.StackHost;
import java.time.Duration;
import java.time.Instant;
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

/// Who is alive on hosts whose agents are upgraded, and what each says of itself: every heartbeat
/// is heard, so that nothing of a hand-over is missed. Of who is alive and has not beaten yet, it
/// says that.
final class AgentHandoverMonitor implements AutoCloseable {
  static final String NO_HEARTBEAT = "not heard";

  private final Map<String, StackHost> hosts;
  private final BiConsumer<String, String> listener;
  private final NatsSubscription subscription;
  private final Map<String, SortedMap<String, String>> states = new HashMap<>();
  private final Map<String, Map<String, String>> lastPrinted = new HashMap<>();
  private final Set<String> hostsHandedOver = new HashSet<>();

  /// @param hosts by their names
  /// @param listener host and text, when there are two on a host, and when there is one again
  AgentHandoverMonitor(
      NatsServer natsServer,
      String tenant,
      Map<String, StackHost> hosts,
      BiConsumer<String, String> listener) {
    this.hosts = Map.copyOf(hosts);
    this.listener = listener;
    subscription = natsServer.subscribe("device-heartbeat." + tenant + ".*.*", this::onHeartbeat);
  }

  private void onHeartbeat(String subject, String beat) {
    String name = subject.split("\\.", -1)[2];
    StackHost stackHost = hosts.get(name);
    if (stackHost != null) {
      JsonNode said = RestClient.JSON.readTree(beat);
      String version = said.at("/versions/uplift-agent").asString("unknown");
      record(name, stackHost, version, said.path("state").asString(""));
    }
  }

  private synchronized void record(String name, StackHost stackHost, String version, String state) {
    SortedMap<String, String> heard = states.computeIfAbsent(name, _ -> new TreeMap<>());
    if (state.equals("running")) {
      // Who works is alone, but for one that has just been started and has said nothing yet.
      heard.clear();
    }
    heard.put(version, state);
    Map<String, String> alive = new TreeMap<>(heard);
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

  /// Whether two have been alive on it at once: the old one ready to go, the new one standing by.
  synchronized boolean sawHandover(String host) {
    return hostsHandedOver.contains(host);
  }

  /// The versions that are alive there as soon as it is one, or in the end.
  List<String> awaitSingleAgent(String name, Duration patience) {
    StackHost stackHost = Objects.requireNonNull(hosts.get(name));
    Instant until = Instant.now().plus(patience);
    while (stackHost.agents().size() != 1 && Instant.now().isBefore(until)) {
      Sleeper.sleep(Duration.ofMillis(100));
    }
    return List.copyOf(stackHost.agents().keySet());
  }

  @Override
  public void close() {
    subscription.close();
  }
}
