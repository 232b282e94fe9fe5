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
import dev.uplift.services.upgrade.ReleaseFacts;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.release.ReleaseRow;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.workflows.device.UpgradePlan;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/// Checks the preconditions of an upgrade, as far as possible before it starts.
@Singleton
final class UpgradeAdmission {
  private final DeviceRepository devices;
  private final DeviceFactsLoader factsLoader;
  private final TrustRoots trust;

  UpgradeAdmission(DeviceRepository devices, DeviceFactsLoader factsLoader, TrustRoots trust) {
    this.devices = devices;
    this.factsLoader = factsLoader;
    this.trust = trust;
  }

  /// Returns the device, or throws.
  DeviceRow requireDevice(DeviceId id) {
    return devices
        .find(id)
        .orElseThrow(() -> ProblemException.notFound("there is no device %s in %s".formatted(id.name(), id.tenant())));
  }

  /// Rejects a plan that the upgrade itself or its hosts would decline. Asks what the workflow will ask at its start,
  /// of the same facts by the same rule; the facts may change before.
  ///
  /// @param release of the plan; empty if it does not exist
  void requireAdmissible(UpgradePlan plan, Optional<ReleaseRow> release) {
    ReleaseRow found = release.orElseThrow(() -> noRelease(plan.release(), plan.device().tenant()));
    switch (check(plan, factsLoader.load(plan.device(), plan.hosts(), ReleaseFacts.of(found)))) {
      case UpgradeCheck.Proceed() -> requireTrustedSignature(plan, found);
      case UpgradeCheck.NoAction() -> {}
      case UpgradeCheck.Declined(Reason reason) ->
          throw ProblemException.conflict("%s: %s".formatted(reason.code(), reason.message()));
    }
  }

  private static UpgradeCheck check(UpgradePlan plan, DeviceFacts facts) {
    return plan.revert()
        .map(revert ->
            UpgradeCheck.ofRevert(plan.release(), revert.versionByHost(), plan.options().overridePins(), facts))
        .orElseGet(() -> UpgradeCheck.of(plan.requestedUpgrade(), facts));
  }

  /// A revert needs no trusted signature.
  private void requireTrustedSignature(UpgradePlan plan, ReleaseRow release) {
    if (plan.revert().isEmpty()) {
      trust
          .untrustedReason(release)
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

  /// Rejects the request if one of these runs on the device.
  ///
  /// @param running upgrades of the device, without the one that is to be started
  static void requireNotBusy(DeviceId device, List<UpgradeRow> running) {
    if (!running.isEmpty()) {
      throw busy(device, running.getFirst().id());
    }
  }

  static ProblemException busy(DeviceId device, String upgrade) {
    return ProblemException.conflict(
        "the upgrade %s of %s runs; await its end or abort it".formatted(upgrade, device.name()));
  }
}
