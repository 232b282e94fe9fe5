package dev.uplift.activities.rollout;

import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.services.presence.HostPresence;
import dev.uplift.services.presence.PresenceStatus;
import dev.uplift.services.presence.ReceivedHeartbeat;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// Hosts that are heard on the version that they run, except those that the test makes silent.
final class ScriptedPresence implements HostPresence {
  private final Function<HostId, String> versions;
  private final Set<String> silent = ConcurrentHashMap.newKeySet();
  private final Map<String, Runnable> whenAsked = new ConcurrentHashMap<>();
  private volatile boolean known = true;

  /// @param versions of the one package that each host runs
  ScriptedPresence(Function<HostId, String> versions) {
    this.versions = versions;
  }

  /// Makes the host of each of these devices silent.
  void silence(String... devices) {
    silent.addAll(Set.of(devices));
  }

  /// Makes the host of each of these devices heard again.
  void hear(String... devices) {
    silent.removeAll(Set.of(devices));
  }

  /// Does this when the host of the device is asked for the next time.
  void whenAsked(String device, Runnable action) {
    whenAsked.put(device + "-left", action);
  }

  /// Makes this server one that could not have heard any host, or one that could.
  void setKnown(boolean known) {
    this.known = known;
  }

  void repair() {
    silent.clear();
    whenAsked.clear();
    known = true;
  }

  @Override
  public PresenceStatus status(String tenant, HostId host) {
    Optional.ofNullable(whenAsked.remove(host.value())).ifPresent(Runnable::run);
    Instant now = Instant.now();
    if (!known) {
      return new PresenceStatus.Unknown(now, "this server is not connected to NATS");
    }
    if (silent.stream().anyMatch(device -> host.value().startsWith(device))) {
      return new PresenceStatus.Silent(now);
    }
    var running = new TreeMap<>(Map.of(RolloutTestWorker.RELEASE.packageName(), versions.apply(host)));
    return new PresenceStatus.Alive(
        new ReceivedHeartbeat(
            tenant, host, "instance", new Heartbeat(Heartbeat.State.RUNNING, "boot-1", running, false, now), now));
  }

  /// Empty, so that the facts about hosts are those of the tables.
  @Override
  public Optional<ReceivedHeartbeat> activeInstance(String tenant, HostId host) {
    return Optional.empty();
  }

  @Override
  public Optional<String> describeDuplicates(String tenant, HostId host) {
    return Optional.empty();
  }

  @Override
  public Optional<String> describeOutage(String tenant) {
    return Optional.empty();
  }
}
