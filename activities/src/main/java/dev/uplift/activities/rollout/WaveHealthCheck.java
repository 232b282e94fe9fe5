package dev.uplift.activities.rollout;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.services.presence.HostPresence;
import dev.uplift.services.presence.PresenceStatus;
import dev.uplift.services.presence.ReceivedHeartbeat;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.upgrade.RecordedPlan;
import dev.uplift.store.rollout.NewTargetResult;
import dev.uplift.store.rollout.RolloutHosts.UpgradedDevice;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetError;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Checks whether the upgraded devices of a wave are heard and still run the release: the hosts that the rollout has
/// upgraded, until another upgrade of the device begins.
final class WaveHealthCheck {
  private final RolloutRepositories repositories;
  private final HostPresence presence;

  WaveHealthCheck(RolloutRepositories repositories, HostPresence presence) {
    this.repositories = repositories;
    this.presence = presence;
  }

  /// What one check has found.
  ///
  /// @param unhealthy devices that do not run the release any more, or were silent for too long
  /// @param recovered names of devices that were unhealthy, and are heard on the release again
  /// @param unheard names of devices that count as upgraded and are not heard on the release now
  /// @param heardUntil up to when all others were heard, by the clock of presence; empty if there are none
  record Report(
      List<NewTargetResult> unhealthy, List<String> recovered, List<String> unheard, Optional<Instant> heardUntil) {}

  /// Checks the current wave. While presence is unknown, a device is not heard, and is not judged.
  ///
  /// @param unhealthyAfter how long a host may be silent
  Report check(RolloutRow row, Duration unhealthyAfter, Instant now) {
    List<NewTargetResult> unhealthy = new ArrayList<>();
    List<String> recovered = new ArrayList<>();
    List<String> unheard = new ArrayList<>();
    Optional<Instant> heardUntil = Optional.empty();
    for (UpgradedDevice device : repositories.hosts().upgradedDevices(row.id(), row.currentWave())) {
      DeviceHealth health = health(row, device, unhealthyAfter, now);
      if (device.result() == TargetResult.UNHEALTHY) {
        if (health.heardUntil().isPresent()) {
          recovered.add(device.name());
        }
      } else if (health.error().isPresent()) {
        unhealthy.add(new NewTargetResult(device.name(), TargetResult.UNHEALTHY, true, health.error(), now));
      } else if (health.heardUntil().isEmpty()) {
        unheard.add(device.name());
      } else if (!health.heardUntil().get().equals(Instant.MAX)) {
        heardUntil = earliest(heardUntil, health.heardUntil().get());
      }
    }
    return new Report(unhealthy, recovered, unheard, heardUntil);
  }

  private static Optional<Instant> earliest(Optional<Instant> one, Instant other) {
    return one.filter(other::isAfter).or(() -> Optional.of(other));
  }

  /// @param heardUntil empty if a host is not heard on the release; the end of time if it has no hosts
  private record DeviceHealth(Optional<TargetError> error, Optional<Instant> heardUntil) {}

  private DeviceHealth health(RolloutRow row, UpgradedDevice device, Duration unhealthyAfter, Instant now) {
    Optional<Instant> heardUntil = Optional.of(Instant.MAX);
    for (HostId host : hosts(device)) {
      PresenceStatus status = presence.status(row.id().tenant(), host);
      Optional<TargetError> error = error(host, status, row.release(), unhealthyAfter, now);
      if (error.isPresent()) {
        return new DeviceHealth(error, Optional.empty());
      }
      Optional<Instant> heard = heardAt(status, row.release());
      heardUntil = heardUntil.flatMap(before -> heard.map(at -> at.isBefore(before) ? at : before));
    }
    return new DeviceHealth(Optional.empty(), heardUntil);
  }

  /// The hosts that were upgraded and are still on the device.
  private static List<HostId> hosts(UpgradedDevice device) {
    return device.changedPlan().flatMap(RecordedPlan::read).map(RecordedPlan::hosts).stream()
        .map(upgraded -> device.hosts().stream().filter(upgraded::contains).toList())
        .findFirst()
        .orElse(device.hosts());
  }

  private static Optional<Instant> heardAt(PresenceStatus status, Release release) {
    return status instanceof PresenceStatus.Alive(ReceivedHeartbeat beat)
            && release.version().equals(beat.heartbeat().versions().get(release.packageName()))
        ? Optional.of(beat.receivedAt())
        : Optional.empty();
  }

  private static Optional<TargetError> error(
      HostId host, PresenceStatus status, Release release, Duration unhealthyAfter, Instant now) {
    return switch (status) {
      case PresenceStatus.Unknown _ -> Optional.empty();
      case PresenceStatus.Silent(Instant since) ->
          now.isBefore(since.plus(unhealthyAfter))
              ? Optional.empty()
              : Optional.of(new TargetError("host-silent", "final", "%s is silent since %s".formatted(host, since)));
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
