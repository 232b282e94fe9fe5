package dev.uplift.workflows.device;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Phase;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.UpgradeAction;
import dev.uplift.fleet.UpgradeState;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The state of a running upgrade: its phase, its waits, and the actions that it accepts.
///
/// @param upgrade id chosen by the caller
/// @param hosts in the order in which they are upgraded
/// @param waits one for each host that is being prepared, else at most one
/// @param pausedBy the operator who paused it, if it is paused; running steps still finish
/// @param reason why it was stopped, if it was
public record UpgradeStatus(
    String upgrade,
    DeviceId device,
    Phase phase,
    List<HostReport> hosts,
    List<PendingWait> waits,
    Optional<Operator> pausedBy,
    Optional<Reason> reason,
    UpgradeState state) {

  /// Returns why the upgrade refuses the action now, as a sentence for people; empty: it accepts the action.
  public Optional<String> refusal(UpgradeAction action, Instant now) {
    return state.refusal(action, now).map(reason -> "%s %s: %s".formatted(device, reason, describe()));
  }

  /// The steps that are waited for, or else the phase, for people.
  public String describe() {
    return waits.isEmpty()
        ? phase.toString()
        : waits.stream()
            .map(pendingWait -> pendingWait.step() + " " + pendingWait.host())
            .distinct()
            .collect(Collectors.joining(", "));
  }
}
