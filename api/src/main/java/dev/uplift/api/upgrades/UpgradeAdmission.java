package dev.uplift.api.upgrades;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.UpgradeCheck;
import dev.uplift.services.trust.TrustRoots;
import dev.uplift.services.upgrade.UpgradePreview;
import dev.uplift.store.PageRequest;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.release.ReleaseRepository;
import dev.uplift.store.upgrade.UpgradeFilter;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.workflows.device.UpgradePlan;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/// Checks the preconditions of an upgrade, as far as possible before it starts.
@Singleton
final class UpgradeAdmission {
  private final DeviceRepository devices;
  private final UpgradeRepository upgrades;
  private final ReleaseRepository releases;
  private final UpgradePreview preview;
  private final TrustRoots trust;

  UpgradeAdmission(
      DeviceRepository devices,
      UpgradeRepository upgrades,
      ReleaseRepository releases,
      UpgradePreview preview,
      TrustRoots trust) {
    this.devices = devices;
    this.upgrades = upgrades;
    this.releases = releases;
    this.preview = preview;
    this.trust = trust;
  }

  /// Returns the device, or throws.
  DeviceRow requireDevice(DeviceId id) {
    return devices
        .find(id)
        .orElseThrow(() ->
            ProblemException.notFound(
                "there is no device %s in %s".formatted(id.name(), id.tenant())));
  }

  /// Rejects a plan that the upgrade itself or its hosts would decline.
  void requireAdmissible(UpgradePlan plan) {
    UpgradeCheck upgradeCheck =
        check(plan).orElseThrow(() -> noRelease(plan.release(), plan.device().tenant()));
    switch (upgradeCheck) {
      case UpgradeCheck.Proceed() -> requireTrustedSignature(plan);
      case UpgradeCheck.NoAction() -> {}
      case UpgradeCheck.Declined(Reason reason) ->
          throw ProblemException.conflict("%s: %s".formatted(reason.code(), reason.message()));
    }
  }

  private Optional<UpgradeCheck> check(UpgradePlan plan) {
    return plan.revert().isPresent()
        ? preview.checkRevert(
            plan.device(), plan.hosts(), plan.release(), plan.revert().get().versionByHost())
        : preview.check(plan.device(), plan.hosts(), plan.requestedUpgrade());
  }

  /// A revert needs no trusted signature.
  private void requireTrustedSignature(UpgradePlan plan) {
    if (plan.revert().isEmpty()) {
      releases
          .find(plan.device().tenant(), plan.release())
          .flatMap(trust::untrustedReason)
          .ifPresent(why -> {
            throw ProblemException.unprocessable(List.of(RequestError.atPointer("/version", why)));
          });
    }
  }

  private static ProblemException noRelease(Release release, String tenant) {
    return ProblemException.unprocessable(
        List.of(
            RequestError.atPointer(
                "/version",
                "there is no release %s in %s; publish it first".formatted(release, tenant))));
  }

  /// Rejects the request while another upgrade of the device runs, according to the tables.
  void requireNotBusy(DeviceId device) {
    Optional<UpgradeRow> found = runningUpgrade(device);
    if (found.isPresent()) {
      throw busy(device, found.get().id());
    }
  }

  private Optional<UpgradeRow> runningUpgrade(DeviceId device) {
    var filter =
        new UpgradeFilter(
            Optional.of(device.name()),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(true));
    return upgrades.list(device.tenant(), filter, PageRequest.first(1)).rows().stream().findFirst();
  }

  static ProblemException busy(DeviceId device, String upgrade) {
    return ProblemException.conflict(
        "the upgrade %s of %s runs; await its end or abort it".formatted(upgrade, device.name()));
  }
}
