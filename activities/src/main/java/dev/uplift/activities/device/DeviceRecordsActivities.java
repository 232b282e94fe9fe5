package dev.uplift.activities.device;

import static java.util.Objects.requireNonNull;

import dev.uplift.activities.temporal.ActivityFailures;
import dev.uplift.fleet.DeviceFacts;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.RolloutId;
import dev.uplift.services.upgrade.DeviceFactsLoader;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.release.ReleaseRow;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.workflows.device.DeviceRecords;
import dev.uplift.workflows.device.DeviceRecords.StartCheck;
import dev.uplift.workflows.device.DeviceRecords.WindowStatus;
import dev.uplift.workflows.device.HostReport;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeResult;
import io.temporal.activity.Activity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The records of upgrades in tables.
public final class DeviceRecordsActivities implements DeviceRecords {
  private static final DeviceFacts NO_FACTS =
      new DeviceFacts(List.of(), "", 0, Set.of(), Optional.empty(), Optional.empty());

  private final UpgradeRepository upgrades;
  private final DeviceFactsLoader factsLoader;
  private final WindowStatusReader windows;
  private final Consumer<RolloutId> ended;
  private final Supplier<String> runId;

  /// @param ended called with a rollout of which an upgrade has ended
  /// @param runId of the workflow in Temporal that calls
  DeviceRecordsActivities(
      UpgradeRepository upgrades,
      DeviceFactsLoader factsLoader,
      WindowStatusReader windows,
      Consumer<RolloutId> ended,
      Supplier<String> runId) {
    this.windows = windows;
    this.upgrades = upgrades;
    this.factsLoader = factsLoader;
    this.ended = ended;
    this.runId = runId;
  }

  @Override
  public StartCheck begin(UpgradePlan plan) {
    return callDatabase(() -> recordStart(plan));
  }

  private StartCheck recordStart(UpgradePlan plan) {
    try {
      UpgradeRow row = upgrades.createIfAbsent(UpgradeRowMapper.newRow(plan, runId.get()));
      if (!UpgradeRowMapper.isSame(row, plan)) {
        return rejected(plan, "id-taken", row.describe());
      }
      if (row.end().isPresent()) {
        return new StartCheck(row.end().map(UpgradeRowMapper::fromRow), NO_FACTS);
      }
      Optional<ReleaseRow> release = factsLoader.findRelease(plan.device().tenant(), plan.release());
      return release.isPresent()
          ? new StartCheck(Optional.empty(), factsLoader.load(plan.device(), plan.hosts(), release.get()))
          : ended(plan, "release-not-found", plan.release() + " is not in the records");
    } catch (NoSuchTenant e) {
      return rejected(plan, "tenant-not-found", String.valueOf(e.getMessage()));
    }
  }

  private static <T> T callDatabase(Supplier<T> work) {
    try {
      return work.get();
    } catch (DatabaseUnavailable e) {
      throw ActivityFailures.retryable(e).build();
    }
  }

  static String currentRunId() {
    return requireNonNull(Activity.getExecutionContext().getInfo().getWorkflowRunId());
  }

  private StartCheck ended(UpgradePlan plan, String code, String text) {
    return new StartCheck(Optional.of(end(plan, declined(plan, code, text))), NO_FACTS);
  }

  /// Without a row of its own it ends where it began.
  private static StartCheck rejected(UpgradePlan plan, String code, String text) {
    return new StartCheck(Optional.of(declined(plan, code, text)), NO_FACTS);
  }

  private static UpgradeResult declined(UpgradePlan plan, String code, String text) {
    Reason reason = Reason.error(ErrorClass.DECLINED, code, text);
    List<HostReport> hosts =
        plan.hosts().stream()
            .map(host -> new HostReport(host, Progress.UNCHANGED, HostState.UNKNOWN, false, Optional.empty()))
            .toList();
    return new UpgradeResult(Outcome.DECLINED, Optional.of(reason), hosts);
  }

  @Override
  public WindowStatus checkWindow(DeviceId device, String additional, Duration need, Instant before) {
    return callDatabase(() -> windows.read(device, additional, need, before, Instant.now()));
  }

  @Override
  public UpgradeResult end(UpgradePlan plan, UpgradeResult result) {
    return callDatabase(() -> {
      UpgradeResult kept = recordEnd(plan, result);
      plan.origin().rollout().map(name -> new RolloutId(plan.device().tenant(), name)).ifPresent(ended);
      return kept;
    });
  }

  private UpgradeResult recordEnd(UpgradePlan plan, UpgradeResult result) {
    UpgradeEnd row = UpgradeRowMapper.toRow(result);
    return upgrades
        .recordEnd(plan.device().tenant(), plan.upgrade(), row, Optional.of(runId.get()))
        .or(() -> {
          // The records were put back to an older copy meanwhile.
          upgrades.createIfAbsent(UpgradeRowMapper.newRow(plan, runId.get()));
          return upgrades.recordEnd(plan.device().tenant(), plan.upgrade(), row);
        })
        .flatMap(UpgradeRow::end)
        .map(UpgradeRowMapper::fromRow)
        .orElseThrow();
  }
}
