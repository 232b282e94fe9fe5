package dev.uplift.services.barrier;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.fleet.barrier.WhenNotHalted;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.services.rollout.RolloutSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Everything that is asked of a barrier.
///
/// @param packageName that halts
/// @param selection expression that is true of the devices that take part
/// @param everything whether it is confirmed that this may be all devices of the tenant
/// @param deadline how long the hosts have to halt
/// @param maxHalt how long after the start every halted host resumes by itself
/// @param version that the halted devices proceed to afterwards
public record BarrierSpec(
    String packageName,
    String selection,
    boolean everything,
    Duration deadline,
    Duration maxHalt,
    WhenNotHalted whenNotHalted,
    BarrierMigration migration,
    Optional<String> version) {

  /// Returns the release that is the migration, if an upgrade is.
  public Optional<Release> migrationRelease() {
    return migration instanceof BarrierMigration.DeviceMigration(_, Optional<String> other, String wanted)
        ? Optional.of(new Release(other.orElse(packageName), wanted))
        : Optional.empty();
  }

  public Optional<String> migratedDevice() {
    return migration instanceof BarrierMigration.DeviceMigration device
        ? Optional.of(device.device())
        : Optional.empty();
  }

  /// Returns the release that the halted devices proceed to afterwards.
  public Optional<Release> nextRelease() {
    return version.map(wanted -> new Release(packageName, wanted));
  }

  /// Returns how the rollout that follows is done: all devices in one wave, each in its own maintenance window.
  public RolloutSpec rollout(BarrierId id, Release release) {
    RolloutPlan plan = RolloutPlan.defaults(release, selection);
    return new RolloutSpec(
        "after barrier %s: %s".formatted(id.name(), release),
        new RolloutPlan(
            release,
            selection,
            true,
            List.of(WaveSpec.of(new WaveSize.Rest())),
            plan.limits(),
            plan.thresholds(),
            plan.retries(),
            plan.window(),
            false,
            Optional.empty(),
            Optional.empty(),
            plan.priority(),
            plan.onBusy()),
        RollbackScope.DEVICE,
        Duration.ZERO,
        false);
  }
}
