package dev.uplift.activities.rollout;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.services.presence.HostPresence;
import dev.uplift.services.presence.PresenceStatus;
import dev.uplift.services.presence.ReceivedHeartbeat;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.store.rollout.NewTargetResult;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Checks whether the upgraded devices of a wave are heard and still run the release.
final class WaveHealthCheck {
  private final RolloutRepositories repositories;
  private final HostPresence presence;

  WaveHealthCheck(RolloutRepositories repositories, HostPresence presence) {
    this.repositories = repositories;
    this.presence = presence;
  }

  /// The unhealthy devices of the current wave. Silence counts only while this server could have heard them.
  List<NewTargetResult> findUnhealthy(RolloutRow row, Instant now) {
    List<NewTargetResult> found = new ArrayList<>();
    repositories
        .hosts()
        .ofUpgradedDevices(row.id(), row.currentWave())
        .forEach((device, hosts) ->
            hosts.stream()
                .flatMap(host -> error(row.id().tenant(), host, row.release()).stream())
                .findFirst()
                .map(error -> new NewTargetResult(device, TargetResult.UNHEALTHY, true, Optional.of(error), now))
                .ifPresent(found::add));
    return found;
  }

  private Optional<TargetError> error(String tenant, HostId host, Release release) {
    return switch (presence.status(tenant, host)) {
      case PresenceStatus.Unknown _ -> Optional.empty();
      case PresenceStatus.Silent(Instant since) ->
          Optional.of(new TargetError("host-silent", "final", "%s is silent since %s".formatted(host, since)));
      case PresenceStatus.Alive(ReceivedHeartbeat beat) ->
          Optional.ofNullable(beat.heartbeat().versions().get(release.packageName()))
              .filter(version -> !version.equals(release.version()))
              .map(version ->
                  new TargetError(
                      "version-mismatch",
                      "final",
                      "%s runs %s again, not %s".formatted(host, version, release.version())));
    };
  }
}
