package dev.uplift.activities.device;

import static java.util.Objects.requireNonNull;

import dev.uplift.activities.device.UpgradeRecorder.RecordResult;
import dev.uplift.activities.metrics.UpgradeMetrics;
import dev.uplift.activities.temporal.ActivityFailures;
import dev.uplift.fleet.DeviceFacts;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.RequestedUpgrade;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.UpgradeCheck;
import dev.uplift.services.Repositories;
import dev.uplift.services.upgrade.DeviceFactsLoader;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.command.HeartbeatWaitRepository;
import dev.uplift.store.device.HostOfferRepository;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.store.upgrade.UpgradeWait;
import dev.uplift.store.upgrade.UpgradeWaitRepository;
import dev.uplift.workflows.device.DeviceRecords;
import dev.uplift.workflows.device.DeviceRecords.StartCheck;
import dev.uplift.workflows.device.DeviceRecords.WindowStatus;
import dev.uplift.workflows.device.PendingWait;
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

  private final UpgradeRecorder recorder;
  private final Database database;
  private final UpgradeRepository upgrades;
  private final UpgradeWaitRepository upgradeWaits;
  private final HeartbeatWaitRepository heartbeatWaits;
  private final HostOfferRepository hostOffers;
  private final DeviceFactsLoader factsLoader;
  private final WindowStatusReader windows;
  private final UpgradeMetrics metrics;
  private final Consumer<RolloutId> ended;
  private final Supplier<String> runId;

  /// @param ended called with a rollout of which an upgrade has ended
  /// @param runId of the workflow in Temporal that calls
  DeviceRecordsActivities(
      UpgradeRecorder recorder,
      Repositories repositories,
      DeviceFactsLoader factsLoader,
      WindowStatusReader windows,
      UpgradeMetrics metrics,
      Consumer<RolloutId> ended,
      Supplier<String> runId) {
    this.recorder = recorder;
    this.windows = windows;
    this.metrics = metrics;
    this.database = repositories.database();
    this.upgrades = repositories.upgrades();
    this.upgradeWaits = repositories.upgradeWaits();
    this.heartbeatWaits = repositories.heartbeatWaits();
    this.hostOffers = repositories.hostOffers();
    this.factsLoader = factsLoader;
    this.ended = ended;
    this.runId = runId;
  }

  @Override
  public StartCheck begin(UpgradePlan plan) {
    String run = runId.get();
    return callDatabase(() -> {
      try {
        return database
            .inTransaction(() -> recordStart(plan, run))
            .orElseGet(() ->
                ended(
                    end(
                        plan,
                        UpgradeRecorder.declined(
                            plan, "release-not-found", plan.release() + " is not in the records"))));
      } catch (NoSuchTenant e) {
        return rejected(plan, "tenant-not-found", String.valueOf(e.getMessage()));
      }
    });
  }

  /// Returns empty if the release does not exist.
  private Optional<StartCheck> recordStart(UpgradePlan plan, String run) {
    return switch (recorder.record(plan, run)) {
      case RecordResult.Refused(String code, String text) -> Optional.of(rejected(plan, code, text));
      case RecordResult.Recorded(UpgradeRow row) ->
          row.end().map(UpgradeRowMapper::fromRow).map(DeviceRecordsActivities::ended).or(() -> load(plan));
    };
  }

  private Optional<StartCheck> load(UpgradePlan plan) {
    return factsLoader
        .findRelease(plan.device().tenant(), plan.release())
        .map(release -> factsLoader.load(plan.device(), plan.hosts(), release))
        .map(facts -> {
          recordOffers(plan, facts);
          return new StartCheck(Optional.empty(), facts);
        });
  }

  /// Records that this upgrade tries the updates that hosts are offered, if it begins.
  private void recordOffers(UpgradePlan plan, DeviceFacts facts) {
    List<HostId> offered =
        facts.hosts().stream().filter(host -> host.offer().isPresent()).map(DeviceFacts.HostFacts::host).toList();
    boolean begins =
        plan.revert().isEmpty() && UpgradeCheck.of(plan.requestedUpgrade(), facts) instanceof UpgradeCheck.Proceed;
    if (begins && !offered.isEmpty()) {
      hostOffers.recordUpgrade(plan.device().tenant(), offered, plan.release().packageName(), plan.upgrade());
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

  private static StartCheck ended(UpgradeResult result) {
    return new StartCheck(Optional.of(result), NO_FACTS);
  }

  /// Without a row of its own it ends where it began.
  private static StartCheck rejected(UpgradePlan plan, String code, String text) {
    return ended(UpgradeRecorder.declined(plan, code, text));
  }

  @Override
  public boolean admitProceed(UpgradePlan plan) {
    return callDatabase(() -> recorder.admitProceed(plan));
  }

  @Override
  public WindowStatus checkWindow(
      DeviceId device, String additional, Duration need, Instant before, Optional<RequestedUpgrade> waiting) {
    return callDatabase(() -> {
      WindowStatus status = windows.read(device, additional, need, before, Instant.now());
      return status.open() ? status.withRefusal(waiting.flatMap(upgrade -> pinRefusal(device, upgrade))) : status;
    });
  }

  private Optional<Reason> pinRefusal(DeviceId device, RequestedUpgrade upgrade) {
    return UpgradeCheck.pinRefusal(upgrade, factsLoader.loadPins(device, upgrade.release().packageName()));
  }

  @Override
  public void recordWait(DeviceId device, String upgrade, Optional<PendingWait> wait, Instant at) {
    Optional<UpgradeWait> row =
        wait.map(open -> new UpgradeWait(EnumCodec.encode(open.reason()), open.message(), open.since(), open.until()));
    boolean _ = callDatabase(() -> upgradeWaits.record(device.tenant(), upgrade, row, at));
  }

  @Override
  public UpgradeResult end(UpgradePlan plan, UpgradeResult result) {
    String run = runId.get();
    return callDatabase(() -> {
      UpgradeResult kept =
          database.inTransaction(() -> {
            // No later upgrade of the device runs while this one does, so these waits are its own.
            heartbeatWaits.removeOf(plan.device().tenant(), plan.hosts(), UpgradePlan.workflowId(plan.device()));
            return recordEnd(plan, result, run);
          });
      metrics.countEnd(kept.outcome());
      plan.origin().rollout().map(name -> new RolloutId(plan.device().tenant(), name)).ifPresent(ended);
      return kept;
    });
  }

  private UpgradeResult recordEnd(UpgradePlan plan, UpgradeResult result, String run) {
    UpgradeEnd row = UpgradeRowMapper.toRow(result);
    return upgrades
        .end(plan.device().tenant(), plan.upgrade(), row, Optional.of(run))
        .or(() -> {
          // The records were put back to an older copy meanwhile.
          upgrades.createIfAbsent(UpgradeRowMapper.newRow(plan, run));
          return upgrades.end(plan.device().tenant(), plan.upgrade(), row, Optional.of(run));
        })
        .map(UpgradeRowMapper::fromRow)
        .orElseThrow();
  }
}
