package dev.uplift.activities.barrier;

import dev.uplift.activities.temporal.StepTimeoutResolver;
import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.activities.temporal.UpgradeWorkflowClient.StartResult;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.StepTimeouts;
import dev.uplift.fleet.UpgradeAction;
import dev.uplift.services.barrier.BarrierJson;
import dev.uplift.services.barrier.BarrierRepositories;
import dev.uplift.services.barrier.BarrierSpec;
import dev.uplift.store.barrier.BarrierRow;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.workflows.barrier.MigrationResult;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.UpgradePlan;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Upgrades the device that is the migration of a barrier, by an upgrade like any other.
@Singleton
final class BarrierMigrator {
  private static final MigrationResult RUNNING = new MigrationResult(true, false, "");

  private final BarrierRepositories tables;
  private final UpgradeWorkflowClient workflows;
  private final StepTimeoutResolver timeouts;

  BarrierMigrator(BarrierRepositories tables, UpgradeWorkflowClient workflows, StepTimeoutResolver timeouts) {
    this.tables = tables;
    this.workflows = workflows;
    this.timeouts = timeouts;
  }

  /// Starts the upgrade if it was not started, aborts it if the barrier is aborted, and returns what has become of it.
  /// Safe to repeat: the upgrade has the same id each time.
  MigrationResult migrate(BarrierRow barrier) {
    BarrierSpec spec = BarrierJson.read(barrier.spec());
    DeviceId device = barrier.id().device(spec.migratedDevice().orElseThrow());
    Release release = spec.migrationRelease().orElseThrow();
    String upgrade = barrier.id().migrationUpgrade();
    Optional<UpgradeRow> known = tables.rollouts().common().upgrades().find(barrier.tenant(), upgrade);
    if (known.filter(row -> !isOurs(row, device, release, barrier)).isPresent()) {
      return failed("the upgrade %s is none of this barrier".formatted(upgrade));
    }
    if (known.isPresent() && known.get().end().isPresent()) {
      return ended(known.get(), known.get().end().get());
    }
    if (barrier.abortedBy().isPresent()) {
      return abort(barrier, device, barrier.abortedBy().get());
    }
    return known.isPresent() ? RUNNING : start(barrier, device, release);
  }

  private static boolean isOurs(UpgradeRow row, DeviceId device, Release release, BarrierRow barrier) {
    return row.device().equals(device) && row.release().equals(release) && row.startedBy().equals(barrier.id().actor());
  }

  private static MigrationResult ended(UpgradeRow row, UpgradeEnd end) {
    String why = end.reason().map(UpgradeEnd.EndReason::text).filter(text -> !text.isEmpty()).orElse("");
    String message =
        "upgrade of %s to %s: %s%s"
            .formatted(row.device().name(), row.release(), end.outcome(), why.isEmpty() ? "" : ", " + why);
    return new MigrationResult(false, end.isSuccess(), message);
  }

  private static MigrationResult failed(String message) {
    return new MigrationResult(false, false, message);
  }

  /// Asks Temporal, because an upgrade runs before its first activity has written its row.
  private MigrationResult abort(BarrierRow barrier, DeviceId device, String by) {
    var operator = new Operator(barrier.id().actor(), "the barrier was aborted by " + by);
    UpdateResult result =
        workflows.update(device, barrier.id().migrationUpgrade(), new UpgradeAction.Abort(), operator);
    return result instanceof UpdateResult.NotRunning ? failed("it does not run") : RUNNING;
  }

  private MigrationResult start(BarrierRow barrier, DeviceId device, Release release) {
    Optional<DeviceRow> row = tables.rollouts().common().devices().find(device);
    if (row.isEmpty() || row.get().hosts().isEmpty()) {
      return failed("there is no device " + device.name() + " with hosts");
    }
    if (tables.rollouts().common().releases().find(device.tenant(), release).isEmpty()) {
      return failed(release + " does not exist");
    }
    StartResult result = workflows.start(plan(barrier, row.get(), release));
    // A device on which another upgrade is in work is tried again in the next pass.
    return result instanceof StartResult.DeviceBusy(String other)
        ? new MigrationResult(true, false, "upgrade %s is in work on %s".formatted(other, device.name()))
        : RUNNING;
  }

  private UpgradePlan plan(BarrierRow barrier, DeviceRow device, Release release) {
    return new UpgradePlan(
        barrier.id().migrationUpgrade(),
        device.id(),
        device.hosts(),
        release,
        new UpgradePlan.Options(
            RollbackScope.DEVICE,
            false,
            Duration.ZERO,
            barrier.untilAt().truncatedTo(ChronoUnit.SECONDS),
            timeouts.resolve(barrier.tenant(), release, StepTimeouts.NONE)),
        new UpgradePlan.Origin(barrier.id().actor(), true, Optional.empty()));
  }
}
