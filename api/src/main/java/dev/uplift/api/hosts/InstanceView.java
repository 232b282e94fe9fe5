package dev.uplift.api.hosts;

import static java.util.Comparator.comparing;

import dev.uplift.fleet.HostState;
import dev.uplift.services.presence.HostHeartbeats;
import dev.uplift.services.presence.InstanceHeartbeats;
import dev.uplift.services.presence.ReceivedHeartbeat;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// An agent that is alive on a host. There are two while one makes way for the other.
///
/// @param state `running`, `draining`, `staging`, `verifying`, `standby`, `cutover-ready`,
///   `stopping`
/// @param version of the agent itself; `unknown` where it does not say
/// @param onTrial whether its host goes back by itself unless somebody commits
/// @param lastSeenAt its newest beat
/// @param upgradeError why its own last upgrade came to nothing; absent if it did not
@Serdeable
record InstanceView(
    String instance,
    String state,
    String version,
    boolean onTrial,
    Instant lastSeenAt,
    Optional<String> upgradeError) {

  /// Who works first, then who waits.
  ///
  /// @param silent what was heard up to then says nothing about now
  static List<InstanceView> of(HostHeartbeats beats, Instant silent, AgentSelfReport said) {
    return beats.all().stream()
        .map(InstanceHeartbeats::newest)
        .filter(beat -> beat.receivedAt().isAfter(silent))
        .sorted(
            comparing(ReceivedHeartbeat::isFromActiveInstance)
                .thenComparing(ReceivedHeartbeat::receivedAt)
                .reversed())
        .map(beat -> of(beat, said))
        .toList();
  }

  private static InstanceView of(ReceivedHeartbeat beat, AgentSelfReport said) {
    boolean isIt = said.instance().equals(beat.instance());
    return new InstanceView(
        beat.instance(),
        beat.heartbeat().state().wireName(),
        isIt ? said.version() : standbyVersion(beat),
        beat.heartbeat().onTrial(),
        beat.receivedAt(),
        isIt ? said.upgradeError() : Optional.empty());
  }

  /// Who stands by beats with its own version and no other; who works says it in its info.
  private static String standbyVersion(ReceivedHeartbeat beat) {
    var versions = beat.heartbeat().versions();
    return beat.isFromActiveInstance() || versions.size() != 1
        ? HostState.UNKNOWN
        : versions.firstEntry().getValue();
  }
}
