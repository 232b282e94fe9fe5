package dev.uplift.activities.presence;

import static java.util.Comparator.comparing;

import java.time.Instant;
import java.util.Collection;
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
