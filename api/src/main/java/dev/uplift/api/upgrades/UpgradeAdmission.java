package dev.uplift.api.upgrades;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.fleet.DeviceFacts;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.UpgradeCheck;
import dev.uplift.services.trust.TrustRoots;
import dev.uplift.services.upgrade.DeviceFactsLoader;
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
  private final DeviceFactsLoader factsLoader;
  private final TrustRoots trust;

  UpgradeAdmission(
      DeviceRepository devices,
      UpgradeRepository upgrades,
      ReleaseRepository releases,
      DeviceFactsLoader factsLoader,
      TrustRoots trust) {
    this.devices = devices;
    this.upgrades = upgrades;
    this.releases = releases;
    this.factsLoader = factsLoader;
    this.trust = trust;
  }

  /// Returns the device, or throws.
  DeviceRow requireDevice(DeviceId id) {
    return devices
        .find(id)
        .orElseThrow(() -> ProblemException.notFound("there is no device %s in %s".formatted(id.name(), id.tenant())));
  }

  /// Rejects a plan that the upgrade itself or its hosts would decline.
  void requireAdmissible(UpgradePlan plan) {
    UpgradeCheck upgradeCheck = check(plan).orElseThrow(() -> noRelease(plan.release(), plan.device().tenant()));
    switch (upgradeCheck) {
      case UpgradeCheck.Proceed() -> requireTrustedSignature(plan);
      case UpgradeCheck.NoAction() -> {}
      case UpgradeCheck.Declined(Reason reason) ->
          throw ProblemException.conflict("%s: %s".formatted(reason.code(), reason.message()));
    }
  }

  /// Asks what the workflow will ask at its start, of the same facts by the same rule; the facts may change before.
  /// Returns empty if the release does not exist.
  private Optional<UpgradeCheck> check(UpgradePlan plan) {
    return factsLoader
        .findRelease(plan.device().tenant(), plan.release())
        .map(release -> check(plan, factsLoader.load(plan.device(), plan.hosts(), release)));
  }

  private static UpgradeCheck check(UpgradePlan plan, DeviceFacts facts) {
    return plan.revert()
        .map(revert -> UpgradeCheck.ofRevert(plan.release(), revert.versionByHost(), facts))
        .orElseGet(() -> UpgradeCheck.of(plan.requestedUpgrade(), facts));
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
                "/version", "there is no release %s in %s; publish it first".formatted(release, tenant))));
  }

  /// Rejects the request while another upgrade of the device runs, according to the tables.
  ///
  /// @param id of the upgrade that is to be started; another request may just have started it
  void requireNotBusy(DeviceId device, String id) {
    Optional<UpgradeRow> found = runningUpgrade(device).filter(running -> !running.id().equals(id));
    if (found.isPresent()) {
      throw busy(device, found.get().id());
    }
  }

  private Optional<UpgradeRow> runningUpgrade(DeviceId device) {
    var filter =
        new UpgradeFilter(
            Optional.of(device.name()), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(true));
    return upgrades.list(device.tenant(), filter, PageRequest.first(1)).rows().stream().findFirst();
  }

  static ProblemException busy(DeviceId device, String upgrade) {
    return ProblemException.conflict(
        "the upgrade %s of %s runs; await its end or abort it".formatted(upgrade, device.name()));
  }
}
