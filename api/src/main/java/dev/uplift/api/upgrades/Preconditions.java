package dev.uplift.api.upgrades;

import dev.uplift.activities.device.Foresight;
import dev.uplift.activities.trust.Trust;
import dev.uplift.api.problem.Fault;
import dev.uplift.api.problem.Refusal;
import dev.uplift.fleet.Check;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Release;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.Devices;
import dev.uplift.store.PageRequest;
import dev.uplift.store.Releases;
import dev.uplift.store.UpgradeFilter;
import dev.uplift.store.UpgradeRow;
import dev.uplift.store.Upgrades;
import dev.uplift.workflows.device.UpgradePlan;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/// What has to be so for an upgrade to begin, as far as can be told before it does.
@Singleton
final class Preconditions {
  private final Devices devices;
  private final Upgrades upgrades;
  private final Releases releases;
  private final Foresight foresight;
  private final Trust trust;

  Preconditions(
      Devices devices, Upgrades upgrades, Releases releases, Foresight foresight, Trust trust) {
    this.devices = devices;
    this.upgrades = upgrades;
    this.releases = releases;
    this.foresight = foresight;
    this.trust = trust;
  }

  /// The device, which is there.
  DeviceRow device(DeviceId id) {
    return devices
        .find(id)
        .orElseThrow(() ->
            Refusal.notFound("there is no device %s in %s".formatted(id.name(), id.tenant())));
  }

  /// Refuses what the upgrade itself would decline at its beginning, and what its hosts would.
  void check(UpgradePlan plan) {
    Check check =
        foresight.of(plan).orElseThrow(() -> noRelease(plan.release(), plan.device().tenant()));
    switch (check) {
      case Check.GoOn() -> checkSignature(plan);
      case Check.AlreadyThere() -> {}
      case Check.Refused(Reason reason) ->
          throw Refusal.conflict("%s: %s".formatted(reason.code(), reason.text()));
    }
  }

  /// What goes back needs no signature.
  private void checkSignature(UpgradePlan plan) {
    if (plan.revert().isEmpty()) {
      releases
          .find(plan.device().tenant(), plan.release())
          .flatMap(trust::doubt)
          .ifPresent(why -> {
            throw Refusal.unacceptable(List.of(Fault.at("/version", why)));
          });
    }
  }

  private static Refusal noRelease(Release release, String tenant) {
    return Refusal.unacceptable(
        List.of(
            Fault.at(
                "/version",
                "there is no release %s in %s; publish it first".formatted(release, tenant))));
  }

  /// Refuses while another upgrade of the device runs, by the records.
  void checkFree(DeviceId device) {
    Optional<UpgradeRow> found = running(device);
    if (found.isPresent()) {
      throw busy(device, found.get().id());
    }
  }

  private Optional<UpgradeRow> running(DeviceId device) {
    var filter =
        new UpgradeFilter(
            Optional.of(device.name()),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(true));
    return upgrades.list(device.tenant(), filter, PageRequest.first(1)).rows().stream().findFirst();
  }

  static Refusal busy(DeviceId device, String upgrade) {
    return Refusal.conflict(
        "the upgrade %s of %s runs; await its end or abort it".formatted(upgrade, device.name()));
  }
}
