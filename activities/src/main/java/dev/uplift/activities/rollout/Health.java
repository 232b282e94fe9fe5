package dev.uplift.activities.rollout;

import dev.uplift.activities.presence.HeardBeat;
import dev.uplift.activities.presence.Presence;
import dev.uplift.activities.presence.Seen;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.rollout.Verdict;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.TargetError;
import dev.uplift.store.TargetVerdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Looks whether the upgraded devices of a wave are still there and still run the release.
final class Health {
  private final RolloutTables tables;
  private final Presence presence;

  Health(RolloutTables tables, Presence presence) {
    this.tables = tables;
    this.presence = presence;
  }

  /// Those of the current wave that are not. Silence counts only while we could have heard them.
  List<TargetVerdict> unhealthy(RolloutRow row, Instant now) {
    List<TargetVerdict> found = new ArrayList<>();
    tables
        .hosts()
        .upgraded(row.id(), row.currentWave())
        .forEach((device, hosts) ->
            hosts.stream()
                .flatMap(host -> error(row.id().tenant(), host, row.release()).stream())
                .findFirst()
                .map(error ->
                    new TargetVerdict(device, Verdict.UNHEALTHY, true, Optional.of(error), now))
                .ifPresent(found::add));
    return found;
  }

  private Optional<TargetError> error(String tenant, HostId host, Release wanted) {
    return switch (presence.of(tenant, host)) {
      case Seen.Unknown _ -> Optional.empty();
      case Seen.Silent(Instant since) ->
          Optional.of(
              new TargetError(
                  "host-silent", "final", "%s is silent since %s".formatted(host, since)));
      case Seen.Alive(HeardBeat beat) ->
          Optional.ofNullable(beat.beat().versions().get(wanted.packageName()))
              .filter(version -> !version.equals(wanted.version()))
              .map(version ->
                  new TargetError(
                      "version-mismatch",
                      "final",
                      "%s runs %s again, not %s".formatted(host, version, wanted.version())));
    };
  }
}
