package dev.uplift.api.enrolment;

import dev.uplift.activities.enrolment.Enrolling;
import dev.uplift.activities.nats.NatsAway;
import dev.uplift.activities.temporal.TemporalAway;
import dev.uplift.api.call.Call;
import dev.uplift.api.problem.Refusal;
import dev.uplift.fleet.HostId;
import dev.uplift.store.Enrolments;
import dev.uplift.store.Hosts;
import io.micronaut.http.HttpStatus;
import java.util.Collection;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether this server lets hosts in, and how it shuts them out.
///
/// @param open empty where it was not told how
public record Door(Optional<Enrolling> open, Enrolments enrolments, Hosts hosts) {
  private static final Logger LOG = LoggerFactory.getLogger(Door.class);

  /// Refuses the request where this server lets no hosts in.
  Enrolling enrolling() {
    return open.orElseThrow(() ->
        Refusal.of(
            HttpStatus.SERVICE_UNAVAILABLE,
            "this server lets no hosts in: UPLIFT_ENROLMENT_FOLDER is not set"));
  }

  /// Refuses the request where there never was such a host: who misspells it would take it for
  /// done.
  void refuseUnlessKnown(Call call, HostId host) {
    if (hosts.find(call.tenant(), host).isEmpty()) {
      throw Refusal.notFound("there is no host %s in %s".formatted(host, call.tenant()));
    }
  }

  /// These hosts are none of the fleet any more, as soon as what changes the tables is done.
  public void revoke(Call call, Collection<HostId> hosts) {
    hosts.forEach(host -> enrolments.revoke(call.tenant(), host, call.caller().name()));
  }

  /// Ends their connections, and what waits for them. To be called once the tables say so. Where
  /// that cannot be done now NATS is told later; returns whether it is done.
  public boolean shutOut(Call call, Collection<HostId> hosts) {
    if (open.isEmpty() || call.validates()) {
      return true;
    }
    boolean done = true;
    for (HostId host : hosts) {
      try {
        open.get().shutOut(call.tenant(), host);
      } catch (NatsAway | TemporalAway e) {
        LOG.warn("{} of {} is not shut out yet: {}", host, call.tenant(), e.getMessage());
        done = false;
      }
    }
    return done;
  }
}
