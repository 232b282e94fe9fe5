package dev.uplift.api.hosts;

import static java.util.Comparator.comparing;

import dev.uplift.fleet.HostState;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.services.presence.HostHeartbeats;
import dev.uplift.services.presence.InstanceHeartbeats;
import dev.uplift.services.presence.ReceivedHeartbeat;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// An agent that runs on a host. There are two during a handover.
///
/// @param version of the agent itself; `unknown` if it has not reported it
/// @param onTrial whether its host rolls back by itself unless the upgrade is committed
/// @param lastSeenAt its newest heartbeat
/// @param upgradeError why its own last upgrade failed; absent if it did not
@Serdeable
record InstanceView(
    String instance,
    @Schema(implementation = Heartbeat.State.class) String state,
    String version,
    boolean onTrial,
    Instant lastSeenAt,
    Optional<String> upgradeError) {

  /// Returns the active instance first, then those that stand by.
  ///
  /// @param silent heartbeats up to then say nothing about now
  static List<InstanceView> of(HostHeartbeats beats, Instant silent, AgentSelfReport said) {
    return beats.all().stream()
        .map(InstanceHeartbeats::newest)
        .filter(beat -> beat.receivedAt().isAfter(silent))
        .sorted(
            comparing(ReceivedHeartbeat::isFromActiveInstance).thenComparing(ReceivedHeartbeat::receivedAt).reversed())
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

  /// A standby agent reports only its own version in heartbeats; an active one reports it in its info.
  private static String standbyVersion(ReceivedHeartbeat beat) {
    var versions = beat.heartbeat().versions();
    return beat.isFromActiveInstance() || versions.size() != 1 ? HostState.UNKNOWN : versions.firstEntry().getValue();
  }
}
