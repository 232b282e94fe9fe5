package dev.uplift.api.hosts;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.presence.HeardBeat;
import dev.uplift.activities.presence.HostBeats;
import dev.uplift.activities.presence.Seen;
import dev.uplift.api.json.Shapes;
import dev.uplift.protocol.Fields;
import dev.uplift.store.Beat;
import dev.uplift.store.HostInfo;
import dev.uplift.store.HostRow;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A host as clients see it.
///
/// @param device that it is on; absent for one that only spoke
/// @param presence and `presence_since`: as [PresenceView]
/// @param seenAt newest sign of life that was kept; absent if there never was one
/// @param saidAt when it last told what follows; absent if it never did
/// @param duplicate true where two machines work as this host; else absent
/// @param enrolment how far it has come in joining
/// @param rootVersion of the root that it goes by; absent if it does not say
/// @param upgradeError why the last upgrade of its agent came to nothing; absent if it did not
/// @param instances the agents that are alive on it now: two while one makes way for the other
@Serdeable
record HostView(
    String host,
    Optional<String> device,
    String presence,
    Instant presenceSince,
    Optional<Instant> seenAt,
    Optional<String> state,
    Optional<String> bootId,
    Optional<String> instance,
    Map<String, String> versions,
    Optional<Instant> saidAt,
    Optional<String> agentVersion,
    Optional<String> architecture,
    Optional<List<String>> drivers,
    Optional<Long> rootVersion,
    String enrolment,
    Optional<Boolean> duplicate,
    Optional<String> upgradeError,
    List<InstanceView> instances) {

  /// @param silent what was heard up to then says nothing about now
  static HostView of(HostRow row, Seen seen, HostBeats beats, Instant silent) {
    PresenceView presence = PresenceView.of(seen);
    Latest latest = Latest.of(row, seen);
    Optional<HostInfo> info = row.info();
    SaidOfItself said = SaidOfItself.of(info);
    return new HostView(
        row.host().value(),
        row.device(),
        presence.presence(),
        presence.since(),
        latest.at,
        latest.state,
        latest.bootId,
        latest.instance,
        latest.versions,
        info.map(HostInfo::at),
        info.map(HostInfo::agentVersion),
        info.map(HostInfo::architecture),
        info.map(HostInfo::drivers),
        info.map(HostView::root).filter(version -> version > 0),
        Shapes.word(row.enrolment()),
        beats.twins(silent).map(_ -> true),
        said.upgradeError(),
        InstanceView.of(beats, silent, said));
  }

  private static long root(HostInfo info) {
    return Fields.of(info.text().getBytes(UTF_8)).numberOr("root_version", 0);
  }

  /// The newest word of three: the beat in memory, the beat that was kept, the info.
  private record Latest(
      Optional<Instant> at,
      Optional<String> state,
      Optional<String> bootId,
      Optional<String> instance,
      Map<String, String> versions) {

    static Latest of(HostRow row, Seen seen) {
      if (seen instanceof Seen.Alive(HeardBeat heard)) {
        return new Latest(
            Optional.of(heard.at()),
            Optional.of(heard.beat().state().word()),
            Optional.of(heard.beat().bootId()),
            Optional.of(heard.instance()),
            heard.beat().versions());
      }
      Optional<Beat> beat = row.beat();
      Optional<HostInfo> info =
          row.info().filter(said -> beat.map(Beat::at).filter(said.at()::isBefore).isEmpty());
      return new Latest(
          info.map(HostInfo::at).or(() -> beat.map(Beat::at)),
          info.map(HostInfo::state).or(() -> beat.map(Beat::state)),
          info.map(HostInfo::bootId).or(() -> beat.map(Beat::bootId)),
          info.map(HostInfo::instance).or(() -> beat.map(Beat::instance)),
          new TreeMap<>(row.versions()));
    }
  }
}
