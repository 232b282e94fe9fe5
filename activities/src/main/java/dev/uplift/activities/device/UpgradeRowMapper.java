package dev.uplift.activities.device;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.Reason;
import dev.uplift.services.upgrade.HostOutcome;
import dev.uplift.services.upgrade.RecordedPlan;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeEnd.EndReason;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.workflows.device.HostReport;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradePlan.RequiredApproval;
import dev.uplift.workflows.device.UpgradePlan.StartRequest;
import dev.uplift.workflows.device.UpgradePlan.UpgradeToRevert;
import dev.uplift.workflows.device.UpgradePlan.WindowPolicy;
import dev.uplift.workflows.device.UpgradeResult;
import java.util.Locale;
import java.util.Optional;

/// An upgrade and its end, from the workflow's types to those of the table and back.
public final class UpgradeRowMapper {
  private UpgradeRowMapper() {}

  /// Returns the row of an upgrade that starts.
  ///
  /// @param runId of its workflow in Temporal
  public static NewUpgrade newRow(UpgradePlan plan, String runId) {
    return new NewUpgrade(
        plan.upgrade(),
        plan.device(),
        plan.release(),
        plan.origin().startedBy(),
        new RecordedPlan(
                plan.hosts(),
                plan.options().rollbackScope(),
                plan.options().allowDowngrade(),
                plan.options().notAfter(),
                plan.conditions().approval().map(RequiredApproval::author),
                plan.conditions().window().map(WindowPolicy::onClose),
                plan.origin().rollout(),
                plan.options().timeouts().settable(),
                plan.origin().request().map(StartRequest::digest))
            .write(),
        runId,
        plan.revert().map(UpgradeToRevert::upgrade));
  }

  /// Returns whether the row is that of the plan: its id may have been used for another upgrade.
  public static boolean isSame(UpgradeRow row, UpgradePlan plan) {
    return row.device().equals(plan.device())
        && row.release().equals(plan.release())
        && row.revertOf().equals(plan.revert().map(UpgradeToRevert::upgrade))
        && isSame(RecordedPlan.read(row.plan()), plan);
  }

  /// A row that was written without a plan is that of whatever else it names.
  private static boolean isSame(Optional<RecordedPlan> recorded, UpgradePlan plan) {
    return recorded
        .map(known ->
            known.rollout().equals(plan.origin().rollout())
                && known.requestDigest().equals(plan.origin().request().map(StartRequest::digest)))
        .orElse(true);
  }

  static UpgradeEnd toRow(UpgradeResult result) {
    return new UpgradeEnd(
        result.outcome(),
        result.reason().map(UpgradeRowMapper::toEndReason),
        HostOutcome.write(result.hosts().stream().map(UpgradeRowMapper::toOutcome).toList()));
  }

  private static HostOutcome toOutcome(HostReport report) {
    return new HostOutcome(
        report.host(), report.progress(), report.version(), report.skipped(), report.reason(), report.versionBefore());
  }

  private static HostReport toReport(HostOutcome outcome) {
    return new HostReport(
        outcome.host(),
        outcome.progress(),
        outcome.version(),
        outcome.skipped(),
        outcome.reason(),
        outcome.versionBefore());
  }

  private static EndReason toEndReason(Reason reason) {
    return new EndReason(
        word(reason.kind()),
        reason.code(),
        reason.errorClass().map(UpgradeRowMapper::word).orElse(""),
        reason.message());
  }

  static UpgradeResult fromRow(UpgradeEnd row) {
    return new UpgradeResult(
        row.outcome(),
        row.reason().map(UpgradeRowMapper::toReason),
        HostOutcome.read(row.hostReports()).stream().map(UpgradeRowMapper::toReport).toList());
  }

  private static Reason toReason(EndReason endReason) {
    return new Reason(
        constant(Reason.Kind.class, endReason.kind()),
        endReason.code(),
        endReason.text(),
        endReason.errorClass().isEmpty()
            ? Optional.empty()
            : Optional.of(constant(ErrorClass.class, endReason.errorClass())));
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String word) {
    return Enum.valueOf(type, word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
