package dev.uplift.api.upgrades;

import dev.uplift.api.hosts.PresenceView;
import dev.uplift.api.json.ValueReaders;
import dev.uplift.fleet.Step;
import dev.uplift.workflows.device.PendingWait;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Optional;

/// Something that an upgrade waits for.
///
/// @param reason for programs
/// @param message for people
/// @param waitingOn a host, `operator`, `clock` or `uplift`
/// @param until when the wait ends; absent if it has no limit
/// @param presence of the host now
@Serdeable
record UpgradeWaitView(
    @Schema(implementation = UpgradeWaitReason.class) String reason,
    @Schema(implementation = Step.class) String step,
    String host,
    String message,
    String waitingOn,
    Instant since,
    Optional<Instant> until,
    PresenceView presence) {
  static UpgradeWaitView of(PendingWait pendingWait, PresenceView presence) {
    return new UpgradeWaitView(
        ValueReaders.enumWord(pendingWait.reason()),
        pendingWait.step().toString(),
        pendingWait.host().value(),
        pendingWait.message(),
        pendingWait.from(),
        pendingWait.since(),
        pendingWait.until(),
        presence);
  }
}
