package dev.uplift.api.hosts;

import static java.util.Comparator.comparing;

import dev.uplift.activities.presence.HeardBeat;
import dev.uplift.activities.presence.HostBeats;
import dev.uplift.activities.presence.InstanceBeats;
import dev.uplift.fleet.HostState;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// An agent that is alive on a host. There are two while one makes way for the other.
///
/// @param state `running`, `draining`, `staging`, `verifying`, `standby`, `cutover-ready`,
///   `stopping`
/// @param version of the agent itself; `unknown` where it does not say
/// @param trial whether its host goes back by itself unless somebody commits
/// @param seenAt its newest beat
/// @param upgradeError why its own last upgrade came to nothing; absent if it did not
@Serdeable
record InstanceView(
    String instance,
    String state,
    String version,
    boolean trial,
    Instant seenAt,
    Optional<String> upgradeError) {

  /// Who works first, then who waits.
  ///
  /// @param silent what was heard up to then says nothing about now
  static List<InstanceView> of(HostBeats beats, Instant silent, SaidOfItself said) {
    return beats.all().stream()
        .map(InstanceBeats::newest)
        .filter(beat -> beat.at().isAfter(silent))
        .sorted(comparing(HeardBeat::isFromWorkingAgent).thenComparing(HeardBeat::at).reversed())
        .map(beat -> of(beat, said))
        .toList();
  }

  private static InstanceView of(HeardBeat beat, SaidOfItself said) {
    boolean isIt = said.instance().equals(beat.instance());
    return new InstanceView(
        beat.instance(),
        beat.beat().state().word(),
        isIt ? said.version() : ofWhoStandsBy(beat),
        beat.beat().trial(),
        beat.at(),
        isIt ? said.upgradeError() : Optional.empty());
  }

  /// Who stands by beats with its own version and no other; who works says it in its info.
  private static String ofWhoStandsBy(HeardBeat beat) {
    var versions = beat.beat().versions();
    return beat.isFromWorkingAgent() || versions.size() != 1
        ? HostState.UNKNOWN
        : versions.firstEntry().getValue();
  }
}
