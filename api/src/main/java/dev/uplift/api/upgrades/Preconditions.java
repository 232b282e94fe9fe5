package dev.uplift.api.upgrades;

import dev.uplift.api.problem.Fault;
import dev.uplift.api.problem.Refusal;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Release;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.Devices;
import dev.uplift.store.Hold;
import dev.uplift.store.PageRequest;
import dev.uplift.store.Releases;
import dev.uplift.store.UpgradeFilter;
import dev.uplift.store.UpgradeRow;
import dev.uplift.store.Upgrades;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// What has to be so for an upgrade to begin, as far as the tables tell.
@Singleton
final class Preconditions {
  private final Devices devices;
  private final Releases releases;
  private final Upgrades upgrades;
  private final InstantSource clock;

  Preconditions(Devices devices, Releases releases, Upgrades upgrades, InstantSource clock) {
    this.devices = devices;
    this.releases = releases;
    this.upgrades = upgrades;
    this.clock = clock;
  }

  /// The device, which may be upgraded to the release.
  DeviceRow check(DeviceId id, Release release) {
    DeviceRow device =
        devices
            .find(id)
            .orElseThrow(() ->
                Refusal.notFound("there is no device %s in %s".formatted(id.name(), id.tenant())));
    if (releases.find(id.tenant(), release).isEmpty()) {
      throw Refusal.unacceptable(
          List.of(
              Fault.at(
                  "/version",
                  "there is no release %s in %s; publish it first"
                      .formatted(release, id.tenant()))));
    }
    device.heldAt(clock.instant()).ifPresent(hold -> refuse(device, hold));
    return device;
  }

  private static void refuse(DeviceRow device, Hold hold) {
    String until = hold.until().map(time -> " until " + time).orElse("");
    throw Refusal.conflict(
        "%s is held by %s%s: %s".formatted(device.id().name(), hold.by(), until, hold.reason()));
  }

  /// The upgrade of the device that runs.
  Optional<UpgradeRow> running(DeviceId device) {
    var filter =
        new UpgradeFilter(
            Optional.of(device.name()),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(true));
    return upgrades.list(device.tenant(), filter, PageRequest.first(1)).rows().stream().findFirst();
  }
}
