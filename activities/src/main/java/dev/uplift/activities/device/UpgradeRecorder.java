package dev.uplift.activities.device;

import dev.uplift.activities.metrics.UpgradeMetrics;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Reason;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.store.audit.AuditEntry;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.workflows.device.HostReport;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradePlan.StartRequest;
import dev.uplift.workflows.device.UpgradeResult;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Writes the row with which an upgrade begins, unless the records say by now that it must not. REST and the workflow
/// both call it; whichever comes first writes.
@Singleton
public final class UpgradeRecorder {
  private final RolloutRepositories repositories;
  private final RolloutAdmission admission;
  private final UpgradeMetrics metrics;

  UpgradeRecorder(RolloutRepositories repositories, UpgradeMetrics metrics) {
    this.repositories = repositories;
    this.metrics = metrics;
    this.admission = new RolloutAdmission(repositories);
  }

  /// The result of recording the beginning of an upgrade.
  public sealed interface RecordResult {
    /// Its row, with its end if it has one: it may have been declined here.
    record Recorded(UpgradeRow row) implements RecordResult {}

    /// There is no row of it, and it must not run.
    ///
    /// @param code a fixed word: `id-taken`, `not-wanted`
    /// @param text for people
    record Refused(String code, String text) implements RecordResult {}
  }

  /// Records the beginning of an upgrade, together with the audit of the request that started it. Safe to repeat: from
  /// the second time on it only reads. The device is locked while the row is written, so its hosts are its own until
  /// the row is there, and the row keeps them there. Its rollout is locked too, so none begins after the answer to a
  /// pause or an abort.
  ///
  /// @param runId of its workflow in Temporal
  /// @throws dev.uplift.store.NoSuchTenant if its tenant does not exist
  public RecordResult record(UpgradePlan plan, String runId) {
    return repositories.database().inTransaction(() -> find(plan).orElseGet(() -> recordNew(plan, runId)));
  }

  /// As [#record], for a caller that expects no row yet. If there is one, it costs more, and the result is the same.
  public RecordResult recordNew(UpgradePlan plan, String runId) {
    return repositories
        .database()
        .inTransaction(() -> {
          if (!admission.admitStart(plan)) {
            return new RecordResult.Refused(
                "not-wanted", "rollout %s does not want it now".formatted(plan.origin().rollout().orElse("")));
          }
          Optional<DeviceRow> device = repositories.common().devices().lock(plan.device());
          return repositories
              .common()
              .upgrades()
              .create(UpgradeRowMapper.newRow(plan, runId))
              .map(row -> recorded(plan, row, device))
              // Another transaction was first, and has committed.
              .orElseGet(() -> find(plan).orElseThrow());
        });
  }

  private Optional<RecordResult> find(UpgradePlan plan) {
    return repositories
        .common()
        .upgrades()
        .find(plan.device().tenant(), plan.upgrade())
        .<RecordResult>map(row ->
            UpgradeRowMapper.isSame(row, plan)
                ? new RecordResult.Recorded(row)
                : new RecordResult.Refused("id-taken", row.describe()));
  }

  private RecordResult recorded(UpgradePlan plan, UpgradeRow row, Optional<DeviceRow> device) {
    plan.origin().request().map(request -> auditEntry(plan, request)).ifPresent(repositories.audit()::append);
    List<HostId> moved =
        device
            .map(found -> plan.hosts().stream().filter(host -> !found.hosts().contains(host)).toList())
            .orElse(List.of());
    return new RecordResult.Recorded(moved.isEmpty() ? row : declineMoved(plan, moved));
  }

  /// Returns whether an upgrade that has prepared ahead may proceed, as [DeviceRecordsActivities#admitProceed] does.
  boolean admitProceed(UpgradePlan plan) {
    return admission.admitProceed(plan);
  }

  private static AuditEntry auditEntry(UpgradePlan plan, StartRequest request) {
    String forward = "%s to %s".formatted(plan.release(), plan.device().name());
    String detail = plan.revert().map(done -> done.upgrade() + ", which brought " + forward).orElse(forward);
    return new AuditEntry(
        plan.device().tenant(),
        plan.origin().startedBy(),
        plan.revert().isPresent() ? "upgrade.revert" : "upgrade.start",
        "upgrade/" + plan.upgrade(),
        request.address(),
        detail + request.remark());
  }

  private UpgradeRow declineMoved(UpgradePlan plan, List<HostId> moved) {
    String names = moved.stream().map(HostId::value).collect(Collectors.joining(", "));
    metrics.countEnd(Outcome.DECLINED);
    UpgradeResult result = declined(plan, "hosts-moved", "no longer on %s: %s".formatted(plan.device().name(), names));
    return repositories
        .common()
        .upgrades()
        .recordEnd(plan.device().tenant(), plan.upgrade(), UpgradeRowMapper.toRow(result))
        .orElseThrow();
  }

  /// Returns the result of an upgrade that did nothing.
  static UpgradeResult declined(UpgradePlan plan, String code, String text) {
    Reason reason = Reason.error(ErrorClass.DECLINED, code, text);
    List<HostReport> hosts =
        plan.hosts().stream()
            .map(host -> new HostReport(host, Progress.UNCHANGED, HostState.UNKNOWN, false, Optional.empty()))
            .toList();
    return new UpgradeResult(Outcome.DECLINED, Optional.of(reason), hosts);
  }
}
