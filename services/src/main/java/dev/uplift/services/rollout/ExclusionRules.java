package dev.uplift.services.rollout;

import dev.uplift.fleet.DeviceFacts;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.UpgradeCheck;
import dev.uplift.fleet.rollout.plan.OnBusy;
import dev.uplift.fleet.window.PlannedStart;
import dev.uplift.services.upgrade.FleetUpgradeChecker;
import dev.uplift.store.rollout.RolloutMembership.ExcludedDevice;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Excludes selected devices from a rollout, each with a reason.
///
/// @param earliestStart not before this anything is started
/// @param busy devices that something else works on, and what
public record ExclusionRules(
    RolloutSpec spec,
    FleetUpgradeChecker checker,
    RolloutWindows windows,
    Map<String, String> busy,
    Instant earliestStart) {

  Optional<ExcludedDevice> exclusionOf(DeviceSnapshot deviceSnapshot) {
    if (deviceSnapshot.device().hosts().isEmpty()) {
      return excluded(deviceSnapshot, "no-hosts", "has no hosts");
    }
    List<DeviceFacts.HostFacts> hostFacts = checker.hostFacts(deviceSnapshot.device(), deviceSnapshot.hosts());
    return switch (checker.check(deviceSnapshot.device(), hostFacts, spec.allowDowngrade())) {
      case UpgradeCheck.NoAction() ->
          excluded(deviceSnapshot, "already-installed", "runs " + spec.plan().release() + " already");
      case UpgradeCheck.Declined(Reason reason) -> excluded(deviceSnapshot, reason.code(), reason.message());
      case UpgradeCheck.Proceed() -> busyOrWithoutWindow(deviceSnapshot);
    };
  }

  private Optional<ExcludedDevice> busyOrWithoutWindow(DeviceSnapshot deviceSnapshot) {
    String with = busy.get(deviceSnapshot.name());
    if (with != null && spec.plan().onBusy() == OnBusy.SKIP) {
      return excluded(deviceSnapshot, "busy", "in " + with);
    }
    return firstStart(deviceSnapshot) instanceof PlannedStart.Never(_, String text)
        ? excluded(deviceSnapshot, "no-window", text)
        : Optional.empty();
  }

  /// When it could start, as far as its windows say.
  PlannedStart firstStart(DeviceSnapshot deviceSnapshot) {
    return windows.firstStart(deviceSnapshot.device().spec(), earliestStart, Duration.ZERO);
  }

  private static Optional<ExcludedDevice> excluded(DeviceSnapshot deviceSnapshot, String reason, String detail) {
    return Optional.of(new ExcludedDevice(deviceSnapshot.name(), reason, detail));
  }
}
