package dev.uplift.workflows.device;

import dev.uplift.fleet.Phase;
import dev.uplift.fleet.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What a running upgrade does, and what it waits for.
///
/// @param upgrade id that the caller chose
/// @param hosts in the order in which they are upgraded
/// @param waits one for each host in work while they are prepared, else at most one
/// @param pausedBy who paused it, if it is paused; what is in work still goes on to its end
/// @param reason why it goes no further, if it does not
public record UpgradeStatus(
    String upgrade,
    Phase phase,
    List<HostReport> hosts,
    List<PendingWait> waits,
    Optional<Operator> pausedBy,
    Optional<Reason> reason,
    Instant notAfter) {}
