package dev.uplift.workflows.device;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import java.time.Instant;
import java.util.Optional;

/// What we know of an order and its host without asking it.
///
/// @param said what the host has answered to the order, too late for the wait
/// @param shown what its newest heartbeat shows, of a host in state `running`; empty when it is
///   silent
/// @param silent whether no heartbeat has come for so long that it counts as silent
/// @param lastBeat when its newest heartbeat came; where none came, `listeningSince`
/// @param listeningSince since when our own link to the hosts has been up without a break
public record Sight(
    Optional<Answer> said,
    Optional<HostState> shown,
    boolean silent,
    Instant lastBeat,
    Instant listeningSince) {

  /// What became of the order, if that can be told. Of a rollback it cannot be seen: a heartbeat
  /// does not show what a host will run after its next boot.
  Optional<Answer> tells(Order order) {
    return said.or(() ->
        shown
            .filter(state -> order.step() != Step.ROLLBACK && order.isReachedBy(state))
            .map(Answer.Done::new));
  }

  /// Whether we would have heard a host that had spoken since then.
  boolean coversAllSince(Instant then) {
    return !listeningSince.isAfter(then);
  }

  /// What it means that the host did not answer.
  Reason silence(Order order) {
    HostId host = order.host();
    return silent ? Reason.silent(host, lastBeat) : Reason.noAnswer(order.toString());
  }
}
