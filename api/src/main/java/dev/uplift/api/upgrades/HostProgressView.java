package dev.uplift.api.upgrades;

import dev.uplift.api.hosts.PresenceView;
import dev.uplift.api.json.ValueReaders;
import dev.uplift.fleet.Progress;
import dev.uplift.workflows.device.HostReport;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Optional;

/// The progress of a host.
///
/// @param progress how far it got
/// @param version that it ran when last observed
/// @param versionBefore that it ran when it was prepared; absent before that
/// @param skipped whether an operator has excluded it
/// @param presence of the host now; absent once the upgrade has ended
@Serdeable
public record HostProgressView(
    String host,
    @Schema(implementation = Progress.class) String progress,
    String version,
    Optional<String> versionBefore,
    boolean skipped,
    Optional<ReasonView> reason,
    Optional<PresenceView> presence) {
  static HostProgressView of(HostReport report, Optional<PresenceView> presence) {
    return new HostProgressView(
        report.host().value(),
        ValueReaders.enumWord(report.progress()),
        report.version(),
        report.versionBefore(),
        report.skipped(),
        report.reason().map(ReasonView::of),
        presence);
  }
}
