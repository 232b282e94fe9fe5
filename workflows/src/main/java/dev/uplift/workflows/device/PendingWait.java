package dev.uplift.workflows.device;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Step;
import java.time.Instant;
import java.util.Optional;

/// Something that an upgrade waits for.
///
/// @param step that it is about, and on which host
/// @param message for people, with all that they need to know
/// @param from whom: the host's id, `operator`, `clock`, or `uplift` itself
/// @param until when it waits no longer and does something else; empty if it waits for ever
public record PendingWait(
    UpgradeWaitReason reason,
    Step step,
    HostId host,
    String message,
    String from,
    Instant since,
    Optional<Instant> until) {

  /// The same, but not longer than this.
  public PendingWait until(Instant end) {
    return new PendingWait(reason, step, host, message, from, since, Optional.of(end));
  }
}
