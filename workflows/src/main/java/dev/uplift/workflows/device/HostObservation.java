package dev.uplift.workflows.device;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import java.time.Instant;
import java.util.Optional;

/// The known state of a request and its host, without asking the host.
///
/// @param lateResult what the host has answered, too late for the wait
/// @param heartbeatState what its newest heartbeat shows, of a host in state `running`; empty when it is silent
/// @param silent whether no heartbeat has come for so long that the host counts as silent
/// @param lastHeartbeatAt when its newest heartbeat came; without one, `connectedSince`
/// @param connectedSince since when our own connection to the hosts has been up without a break
public record HostObservation(
    Optional<StepResult> lateResult,
    Optional<HostState> heartbeatState,
    boolean silent,
    Instant lastHeartbeatAt,
    Instant connectedSince) {

  /// Returns what became of the request, if it is known. A heartbeat does not show what a host will run after its next
  /// boot, so it proves no rollback.
  public Optional<StepResult> resultOf(StepRequest stepRequest) {
    return lateResult.or(() ->
        heartbeatState
            .filter(state -> stepRequest.step() != Step.ROLLBACK && stepRequest.isReachedBy(state))
            .map(StepResult.Done::new));
  }

  /// Returns whether we would have received a message that the host sent since then.
  public boolean coversSince(Instant then) {
    return !connectedSince.isAfter(then);
  }

  /// Returns why the step failed if the host did not answer. A host that was only asked to prepare blames no release.
  public Reason silenceReason(StepRequest stepRequest) {
    HostId host = stepRequest.host();
    Reason reason = silent ? Reason.silent(host, lastHeartbeatAt) : Reason.noAnswer(stepRequest.toString());
    return stepRequest.step() == Step.PREPARE ? reason.withoutBlame() : reason;
  }
}
