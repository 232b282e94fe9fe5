package dev.uplift.activities.presence;

import static java.util.Comparator.comparing;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What is remembered of one host: normally of one instance, of two while an agent follows another.
public record HostBeats(Map<String, InstanceBeats> instances) {
  static final HostBeats NONE = new HostBeats(Map.of());

  /// More than that is a mistake or malice; the longest silent ones are forgotten first.
  private static final int INSTANCES = 8;

  public HostBeats {
    instances = Map.copyOf(instances);
  }

  /// These and one more; what is older than `forgotten` is dropped.
  HostBeats and(HeardBeat beat, Instant forgotten) {
    Stream<InstanceBeats> others =
        instances.values().stream()
            .filter(other -> !other.newest().instance().equals(beat.instance()))
            .filter(other -> other.newest().at().isAfter(forgotten))
            .sorted(comparing((InstanceBeats other) -> other.newest().at()).reversed())
            .limit(INSTANCES - 1)
            .map(InstanceBeats::interrupted);
    InstanceBeats one =
        of(beat.instance()).map(known -> known.and(beat)).orElseGet(() -> InstanceBeats.of(beat));
    return new HostBeats(
        Stream.concat(Stream.of(one), others)
            .collect(Collectors.toMap(each -> each.newest().instance(), each -> each)));
  }

  public Optional<InstanceBeats> of(String instance) {
    return Optional.ofNullable(instances.get(instance));
  }

  public Collection<InstanceBeats> all() {
    return instances.values();
  }

  /// Two machines that work as this host at once: each was heard after the other one had begun, and
  /// they are of different boots. An agent that follows another one, and a host that comes back
  /// from a reboot, are not.
  ///
  /// @param silent who was not heard since then is no more
  public Optional<List<HeardBeat>> twins(Instant silent) {
    List<InstanceBeats> alive =
        instances.values().stream()
            .filter(each -> each.newest().isFromRunningAgent())
            .filter(each -> each.newest().at().isAfter(silent))
            .sorted(comparing(InstanceBeats::first))
            .toList();
    for (int i = 1; i < alive.size(); i++) {
      InstanceBeats earlier = alive.get(i - 1);
      InstanceBeats later = alive.get(i);
      if (earlier.newest().at().isAfter(later.first())
          && !earlier.newest().beat().bootId().equals(later.newest().beat().bootId())) {
        return Optional.of(List.of(earlier.newest(), later.newest()));
      }
    }
    return Optional.empty();
  }

  /// Who speaks for the host: not one that only stands by, as long as another is heard.
  ///
  /// @param silent what was heard up to then says nothing about now
  public Optional<HeardBeat> speaker(Instant silent) {
    return instances.values().stream()
        .map(InstanceBeats::newest)
        .filter(beat -> beat.at().isAfter(silent))
        .max(comparing(HeardBeat::isFromWorkingAgent).thenComparing(HeardBeat::at))
        .or(this::newest);
  }

  public Optional<HeardBeat> newest() {
    return instances.values().stream().map(InstanceBeats::newest).max(comparing(HeardBeat::at));
  }
}
