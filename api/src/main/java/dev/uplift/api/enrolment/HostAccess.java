package dev.uplift.api.enrolment;

import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.RequestContext;
import dev.uplift.fleet.HostId;
import dev.uplift.services.enrolment.EnrolmentService;
import dev.uplift.services.messaging.NatsUnavailable;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.enrolment.EnrolmentRepository;
import io.micronaut.http.HttpStatus;
import java.util.Collection;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Whether this server lets hosts in, and how it shuts them out.
///
/// @param enrolmentService empty where it was not told how
public record HostAccess(
    Optional<EnrolmentService> enrolmentService,
    EnrolmentRepository enrolments,
    HostRepository hosts) {
  private static final Logger LOG = LoggerFactory.getLogger(HostAccess.class);

  /// Refuses the request where this server lets no hosts in.
  EnrolmentService requireEnrolmentService() {
    return enrolmentService.orElseThrow(() ->
        ProblemException.of(
            HttpStatus.SERVICE_UNAVAILABLE,
            "this server lets no hosts in: UPLIFT_ENROLMENT_KEYS_FOLDER is not set"));
  }

  /// Refuses the request where there never was such a host: who misspells it would take it for
  /// done.
  void requireHost(RequestContext requestContext, HostId host) {
    if (hosts.find(requestContext.tenant(), host).isEmpty()) {
      throw ProblemException.notFound(
          "there is no host %s in %s".formatted(host, requestContext.tenant()));
    }
  }

  /// These hosts are none of the fleet any more, as soon as what changes the tables is done.
  public void revoke(RequestContext requestContext, Collection<HostId> hosts) {
    hosts.forEach(
        host -> enrolments.revoke(requestContext.tenant(), host, requestContext.caller().name()));
  }

  /// Ends their connections, and what waits for them. To be called once the tables say so. Where
  /// that cannot be done now NATS is told later; returns whether it is done.
  public boolean disconnect(RequestContext requestContext, Collection<HostId> hosts) {
    if (enrolmentService.isEmpty() || requestContext.isValidateOnly()) {
      return true;
    }
    boolean done = true;
    for (HostId host : hosts) {
      try {
        enrolmentService.get().enforceRevocation(requestContext.tenant(), host);
      } catch (NatsUnavailable | TemporalUnavailable e) {
        LOG.warn("{} of {} is not shut out yet: {}", host, requestContext.tenant(), e.getMessage());
        done = false;
      }
    }
    return done;
  }
}
