package dev.uplift.workflows.device;

import dev.uplift.fleet.Phase;
import dev.uplift.fleet.Reason;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What a running upgrade does, and what it waits for.
///
/// @param upgrade id chosen by the caller
/// @param hosts in the order in which they are upgraded
/// @param waits one for each host that is being prepared, else at most one
/// @param pausedBy the operator who paused it, if it is paused; running steps still finish
/// @param reason why it was stopped, if it was
public record UpgradeStatus(
    String upgrade,
    Phase phase,
    List<HostReport> hosts,
    List<PendingWait> waits,
    Optional<Operator> pausedBy,
    Optional<Reason> reason,
    Instant notAfter) {}
