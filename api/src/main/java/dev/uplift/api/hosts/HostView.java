package dev.uplift.api.hosts;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.api.json.ValueReaders;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.json.JsonObject;
import dev.uplift.services.presence.HostHeartbeats;
import dev.uplift.services.presence.PresenceStatus;
import dev.uplift.services.presence.ReceivedHeartbeat;
import dev.uplift.store.device.HeartbeatRow;
import dev.uplift.store.device.HostInfo;
import dev.uplift.store.device.HostRow;
import dev.uplift.store.enrolment.EnrolmentStatus;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A host as clients see it.
///
/// @param device that it is on; absent for a host that has reported but is on no device
/// @param presence `silent`: no heartbeat came while the server was connected; `unknown`: the server has not been
///   connected for long enough
/// @param presenceSince as `since` of a presence
/// @param lastSeenAt newest recorded heartbeat or info; absent if there was none
/// @param state what its agent does with commands
/// @param versions of its packages
/// @param offers what its repositories offer, by package, of the packages of which that is known
/// @param reportedAt when it last reported the fields that follow; absent if it never did
/// @param duplicate true if two machines work as this host; else absent
/// @param enrolment state of its enrolment
/// @param rootVersion of the root that it trusts; absent if it has not reported one
/// @param upgradeError why the last upgrade of its agent failed; absent if it did not
/// @param halted packages that barriers have halted on it, as it last reported
/// @param instances the agents that run on it now: two during a handover
@Serdeable
record HostView(
    String host,
    Optional<String> device,
    @Schema(
            type = "string",
            allowableValues = {"online", "silent", "unknown"})
        String presence,
    Instant presenceSince,
    Optional<Instant> lastSeenAt,
    @Schema(implementation = Heartbeat.State.class) Optional<String> state,
    Optional<String> bootId,
    Optional<String> instance,
    Map<String, String> versions,
    Map<String, OfferView> offers,
    Optional<Instant> reportedAt,
    Optional<String> agentVersion,
    Optional<String> architecture,
    Optional<List<String>> drivers,
    Optional<Long> rootVersion,
    @Schema(implementation = EnrolmentStatus.class) String enrolment,
    Optional<Boolean> duplicate,
    Optional<String> upgradeError,
    List<HaltedPackageView> halted,
    List<InstanceView> instances) {

  /// @param silent heartbeats up to then say nothing about now
  static HostView of(HostRow row, PresenceStatus presenceStatus, HostHeartbeats beats, Instant silent) {
    PresenceView presence = PresenceView.of(presenceStatus);
    LatestReport latestReport = LatestReport.of(row, presenceStatus);
    Optional<HostInfo> info = row.info();
    AgentSelfReport said = AgentSelfReport.of(info);
    return new HostView(
        row.host().value(),
        row.device(),
        presence.presence(),
        presence.since(),
        latestReport.at,
        latestReport.state,
        latestReport.bootId,
        latestReport.instance,
        latestReport.versions,
        said.offers(),
        info.map(HostInfo::receivedAt),
        info.map(HostInfo::agentVersion),
        info.map(HostInfo::architecture),
        info.map(HostInfo::drivers),
        info.map(HostView::rootVersionOf).filter(version -> version > 0),
        ValueReaders.enumWord(row.enrolment()),
        beats.duplicateInstances(silent).map(_ -> true),
        said.upgradeError(),
        HaltedPackageView.of(info),
        InstanceView.of(beats, silent, said));
  }

  private static long rootVersionOf(HostInfo info) {
    return JsonObject.parse(info.text().getBytes(UTF_8)).numberOr("root_version", 0);
  }

  /// The newest of three reports: the heartbeat in memory, the recorded heartbeat, the info.
  private record LatestReport(
      Optional<Instant> at,
      @Schema(implementation = Heartbeat.State.class) Optional<String> state,
      Optional<String> bootId,
      Optional<String> instance,
      Map<String, String> versions) {

    static LatestReport of(HostRow row, PresenceStatus presenceStatus) {
      if (presenceStatus instanceof PresenceStatus.Alive(ReceivedHeartbeat heard)) {
        return new LatestReport(
            Optional.of(heard.receivedAt()),
            Optional.of(heard.heartbeat().state().wireName()),
            Optional.of(heard.heartbeat().bootId()),
            Optional.of(heard.instance()),
            heard.heartbeat().versions());
      }
      Optional<HeartbeatRow> heartbeat = row.heartbeat();
      Optional<HostInfo> info =
          row.info()
              .filter(said -> heartbeat.map(HeartbeatRow::receivedAt).filter(said.receivedAt()::isBefore).isEmpty());
      return new LatestReport(
          info.map(HostInfo::receivedAt).or(() -> heartbeat.map(HeartbeatRow::receivedAt)),
          info.map(HostInfo::state).or(() -> heartbeat.map(HeartbeatRow::state)),
          info.map(HostInfo::bootId).or(() -> heartbeat.map(HeartbeatRow::bootId)),
          info.map(HostInfo::instance).or(() -> heartbeat.map(HeartbeatRow::instance)),
          new TreeMap<>(row.versions()));
    }
  }
}
