package dev.uplift.cli.demo;

import dev.uplift.cli.local.Pause;
import dev.uplift.cli.rest.Rest;
import dev.uplift.temporaldev.Host;
import dev.uplift.temporaldev.Listening;
import dev.uplift.temporaldev.Nats;
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
final class HeardAgents implements AutoCloseable {
  static final String UNHEARD = "not heard";

  private final Map<String, Host> hosts;
  private final BiConsumer<String, String> told;
  private final Listening listening;
  private final Map<String, SortedMap<String, String>> states = new HashMap<>();
  private final Map<String, Map<String, String>> seen = new HashMap<>();
  private final Set<String> handedOver = new HashSet<>();

  /// @param hosts by their names
  /// @param told host and text, when there are two on a host, and when there is one again
  HeardAgents(Nats nats, String tenant, Map<String, Host> hosts, BiConsumer<String, String> told) {
    this.hosts = Map.copyOf(hosts);
    this.told = told;
    listening = nats.listen("device-heartbeat." + tenant + ".*.*", this::hear);
  }

  private void hear(String subject, String beat) {
    String name = subject.split("\\.", -1)[2];
    Host host = hosts.get(name);
    if (host != null) {
      JsonNode said = Rest.JSON.readTree(beat);
      String version = said.at("/versions/uplift-agent").asString("unknown");
      note(name, host, version, said.path("state").asString(""));
    }
  }

  private synchronized void note(String name, Host host, String version, String state) {
    SortedMap<String, String> heard = states.computeIfAbsent(name, _ -> new TreeMap<>());
    if (state.equals("running")) {
      // Who works is alone, but for one that has just been started and has said nothing yet.
      heard.clear();
    }
    heard.put(version, state);
    Map<String, String> alive = new TreeMap<>(heard);
    host.agents().keySet().forEach(each -> alive.putIfAbsent(each, UNHEARD));
    Map<String, String> before = Objects.requireNonNullElse(seen.put(name, alive), Map.of());
    if (!alive.equals(before) && (alive.size() > 1 || before.size() > 1)) {
      told.accept(name, text(alive));
    }
    if (isHandover(alive)) {
      handedOver.add(name);
    }
  }

  static boolean isHandover(Map<String, String> alive) {
    return alive.containsValue("cutover-ready") && alive.containsValue("standby");
  }

  static String text(Map<String, String> alive) {
    return alive.entrySet().stream()
        .map(each -> each.getKey() + " " + each.getValue())
        .collect(Collectors.joining(", "));
  }

  /// Whether two have been alive on it at once: the old one ready to go, the new one standing by.
  synchronized boolean hasHandedOver(String host) {
    return handedOver.contains(host);
  }

  /// The versions that are alive there as soon as it is one, or in the end.
  List<String> aliveWithin(String name, Duration patience) {
    Host host = Objects.requireNonNull(hosts.get(name));
    Instant until = Instant.now().plus(patience);
    while (host.agents().size() != 1 && Instant.now().isBefore(until)) {
      Pause.of(Duration.ofMillis(100));
    }
    return List.copyOf(host.agents().keySet());
  }

  @Override
  public void close() {
    listening.close();
  }
}
