package dev.uplift.api.hosts;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Reason;
import dev.uplift.services.upgrade.HostOutcome;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRow;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Optional;

/// A package of a host, and how its last upgrade went.
///
/// @param version that the host last reported; absent: it could not tell
/// @param lastUpgrade the newest one that has sent the host a command; absent: none has
/// @param failedVersion that the last upgrade failed to bring to the host; absent: it did not fail there
@Serdeable
record HostPackageView(
    @JsonProperty("package") String packageName,
    Optional<String> version,
    Optional<LastUpgradeView> lastUpgrade,
    Optional<String> failedVersion) {

  /// The last upgrade of a package on a host, together with the other hosts of its device.
  ///
  /// @param version that it brings, or takes back
  /// @param startedAt when it began
  /// @param endedAt absent while it runs
  /// @param outcome of the whole device; absent while it runs
  /// @param failure why the version was not brought to the host; absent: it was
  @Serdeable
  record LastUpgradeView(
      String id,
      String version,
      Instant startedAt,
      Optional<Instant> endedAt,
      @Schema(implementation = Outcome.class) Optional<String> outcome,
      Optional<String> failure) {}

  static HostPackageView of(HostId host, String packageName, String version, Optional<UpgradeRow> last) {
    Optional<String> failure = last.flatMap(row -> failure(host, row));
    return new HostPackageView(
        packageName,
        Optional.of(version).filter(known -> !known.equals(HostState.UNKNOWN)),
        last.map(row ->
            new LastUpgradeView(
                row.id(),
                row.version(),
                row.startedAt(),
                row.endedAt(),
                row.outcome().map(Outcome::toString),
                failure)),
        last.filter(_ -> failure.isPresent()).map(UpgradeRow::version));
  }

  /// Returns why an upgrade has failed on a host; empty if it has not, or has only taken a version back.
  private static Optional<String> failure(HostId host, UpgradeRow row) {
    return row.revertOf().isPresent()
        ? Optional.empty()
        : row.end()
            .filter(end -> blamesRelease(end) && !isUpgraded(host, end))
            .map(end -> end.reason().map(UpgradeEnd.EndReason::text).orElse(""));
  }

  private static boolean blamesRelease(UpgradeEnd end) {
    return end.reason()
        .filter(reason -> end.outcome().blamesRelease(EnumCodec.decode(Reason.Kind.class, reason.kind())))
        .isPresent();
  }

  private static boolean isUpgraded(HostId host, UpgradeEnd end) {
    return HostOutcome.read(end.hostReports()).stream()
        .anyMatch(report -> report.host().equals(host) && report.progress() == Progress.UPGRADED);
  }
}
