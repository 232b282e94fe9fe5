package dev.uplift.activities.device;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.Reason;
import dev.uplift.services.upgrade.HostOutcome;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeEnd.EndReason;
import dev.uplift.workflows.device.HostReport;
import dev.uplift.workflows.device.UpgradeResult;
import java.util.Locale;
import java.util.Optional;

/// How an upgrade ended, as the workflow says it and as the row keeps it.
final class UpgradeResultMapper {
  private UpgradeResultMapper() {}

  static UpgradeEnd toRow(UpgradeResult result) {
    return new UpgradeEnd(
        result.outcome(),
        result.reason().map(UpgradeResultMapper::toEndReason),
        HostOutcome.write(result.hosts().stream().map(UpgradeResultMapper::toOutcome).toList()));
  }

  private static HostOutcome toOutcome(HostReport report) {
    return new HostOutcome(
        report.host(),
        report.progress(),
        report.version(),
        report.skipped(),
        report.reason(),
        report.versionBefore());
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
        reason.errorClass().map(UpgradeResultMapper::word).orElse(""),
        reason.message());
  }

  static UpgradeResult fromRow(UpgradeEnd row) {
    return new UpgradeResult(
        row.outcome(),
        row.reason().map(UpgradeResultMapper::toReason),
        HostOutcome.read(row.hostReports()).stream().map(UpgradeResultMapper::toReport).toList());
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
