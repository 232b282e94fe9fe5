package dev.uplift.workflows.device;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import java.time.Instant;
import java.util.Optional;

/// What we know of an order and its host without asking it.
///
/// @param lateResult what the host has answered to the order, too late for the wait
/// @param heartbeatState what its newest heartbeat shows, of a host in state `running`; empty when it is
///   silent
/// @param silent whether no heartbeat has come for so long that it counts as silent
/// @param lastHeartbeatAt when its newest heartbeat came; where none came, `listeningSince`
/// @param connectedSince since when our own link to the hosts has been up without a break
public record HostObservation(
    Optional<StepResult> lateResult,
    Optional<HostState> heartbeatState,
    boolean silent,
    Instant lastHeartbeatAt,
    Instant connectedSince) {

  /// What became of the order, if that can be told. Of a rollback it cannot be seen: a heartbeat
  /// does not show what a host will run after its next boot.
  public Optional<StepResult> resultOf(StepRequest stepRequest) {
    return lateResult.or(() ->
        heartbeatState
            .filter(state -> stepRequest.step() != Step.ROLLBACK && stepRequest.isReachedBy(state))
            .map(StepResult.Done::new));
  }

  /// Whether we would have heard a host that had spoken since then.
  public boolean coversSince(Instant then) {
    return !connectedSince.isAfter(then);
  }

  /// What it means that the host did not answer.
  public Reason silenceReason(StepRequest stepRequest) {
    HostId host = stepRequest.host();
    return silent ? Reason.silent(host, lastHeartbeatAt) : Reason.noAnswer(stepRequest.toString());
  }
}
