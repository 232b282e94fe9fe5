package dev.uplift.services.presence;

import static java.util.Comparator.comparing;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The heartbeats of one host: normally from one instance, from two during a handover.
public record HostHeartbeats(Map<String, InstanceHeartbeats> instances) {
  static final HostHeartbeats NONE = new HostHeartbeats(Map.of());

  /// More than that is a fault or an attack; those silent for longest are forgotten first.
  private static final int MAX_INSTANCES = 8;

  public HostHeartbeats {
    instances = Map.copyOf(instances);
  }

  /// Returns a copy with one more heartbeat, without instances not heard since `forgotten`.
  HostHeartbeats with(ReceivedHeartbeat beat, Instant forgotten) {
    InstanceHeartbeats one =
        of(beat.instance()).map(known -> known.with(beat)).orElseGet(() -> InstanceHeartbeats.of(beat));
    boolean hasOthers = instances.size() > (instances.containsKey(beat.instance()) ? 1 : 0);
    return hasOthers ? withOthers(one, forgotten) : new HostHeartbeats(Map.of(beat.instance(), one));
  }

  private HostHeartbeats withOthers(InstanceHeartbeats one, Instant forgotten) {
    Stream<InstanceHeartbeats> others =
        instances.values().stream()
            .filter(other -> !other.newest().instance().equals(one.newest().instance()))
            .filter(other -> other.newest().receivedAt().isAfter(forgotten))
            .sorted(comparing((InstanceHeartbeats other) -> other.newest().receivedAt()).reversed())
            .limit(MAX_INSTANCES - 1)
            .map(InstanceHeartbeats::interrupted);
    return new HostHeartbeats(
        Stream.concat(Stream.of(one), others)
            .collect(Collectors.toMap(each -> each.newest().instance(), each -> each)));
  }

  public Optional<InstanceHeartbeats> of(String instance) {
    return Optional.ofNullable(instances.get(instance));
  }

  public Collection<InstanceHeartbeats> all() {
    return instances.values();
  }

  /// Returns the heartbeats of two machines that work as this host at the same time: each was heard after the other one
  /// had started, in different boots, unlike in a handover or a reboot.
  ///
  /// @param silent instances that were not heard since then no longer count
  public Optional<List<ReceivedHeartbeat>> duplicateInstances(Instant silent) {
    List<InstanceHeartbeats> alive =
        instances.values().stream()
            .filter(each -> each.newest().isFromRunningAgent())
            .filter(each -> each.newest().receivedAt().isAfter(silent))
            .sorted(comparing(InstanceHeartbeats::firstReceivedAt))
            .toList();
    for (int i = 1; i < alive.size(); i++) {
      InstanceHeartbeats earlier = alive.get(i - 1);
      InstanceHeartbeats later = alive.get(i);
      if (earlier.newest().receivedAt().isAfter(later.firstReceivedAt())
          && !earlier.newest().heartbeat().bootId().equals(later.newest().heartbeat().bootId())) {
        return Optional.of(List.of(earlier.newest(), later.newest()));
      }
    }
    return Optional.empty();
  }

  /// Returns the newest heartbeat of the active instance, or of a standby if no other is heard.
  ///
  /// @param silent heartbeats up to then say nothing about now
  public Optional<ReceivedHeartbeat> activeInstance(Instant silent) {
    return instances.values().stream()
        .map(InstanceHeartbeats::newest)
        .filter(beat -> beat.receivedAt().isAfter(silent))
        .max(comparing(ReceivedHeartbeat::isFromActiveInstance).thenComparing(ReceivedHeartbeat::receivedAt))
        .or(this::newest);
  }

  /// Returns whether an instance is heard, as [#findAlive] does, without a choice among them.
  ///
  /// @param silent heartbeats up to then say nothing about now
  boolean isAlive(Instant silent) {
    for (InstanceHeartbeats each : instances.values()) {
      if (each.newest().receivedAt().isAfter(silent)) {
        return true;
      }
    }
    return false;
  }

  /// Returns the newest heartbeat of the active instance, or of a standby if no other is heard; empty if the host is
  /// not heard.
  ///
  /// @param silent heartbeats up to then say nothing about now
  Optional<ReceivedHeartbeat> findAlive(Instant silent) {
    return activeInstance(silent).filter(beat -> beat.receivedAt().isAfter(silent));
  }

  public Optional<ReceivedHeartbeat> newest() {
    ReceivedHeartbeat newest = null;
    for (InstanceHeartbeats each : instances.values()) {
      if (newest == null || each.newest().receivedAt().isAfter(newest.receivedAt())) {
        newest = each.newest();
      }
    }
    return Optional.ofNullable(newest);
  }
}
