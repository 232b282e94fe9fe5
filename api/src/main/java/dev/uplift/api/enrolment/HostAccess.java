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
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Enrols and revokes hosts, if this server is configured for it.
///
/// @param enrolmentService empty if it is not configured
@Singleton
public record HostAccess(
    Optional<EnrolmentService> enrolmentService, EnrolmentRepository enrolments, HostRepository hosts) {
  private static final Logger LOG = LoggerFactory.getLogger(HostAccess.class);

  /// Rejects the request if this server does not enrol hosts.
  EnrolmentService requireEnrolmentService() {
    return enrolmentService.orElseThrow(() ->
        ProblemException.of(
            HttpStatus.SERVICE_UNAVAILABLE, "this server enrols no hosts: UPLIFT_ENROLMENT_KEYS_FOLDER is not set"));
  }

  /// Rejects the request if the host never existed, so that a misspelt name is noticed.
  void requireHost(RequestContext requestContext, HostId host) {
    if (hosts.find(requestContext.tenant(), host).isEmpty()) {
      throw ProblemException.notFound("there is no host %s in %s".formatted(host, requestContext.tenant()));
    }
  }

  /// Revokes the hosts, effective with the commit of the transaction.
  public void revoke(RequestContext requestContext, Collection<HostId> hosts) {
    hosts.forEach(host -> enrolments.revoke(requestContext.tenant(), host, requestContext.caller().name()));
  }

  /// Ends the connections of revoked hosts, and everything that waits for them. To be called after the commit. Returns
  /// false if it is not done yet: the revocation is published later.
  public boolean disconnect(RequestContext requestContext, Collection<HostId> hosts) {
    if (enrolmentService.isEmpty() || requestContext.isValidateOnly()) {
      return true;
    }
    boolean done = true;
    for (HostId host : hosts) {
      try {
        enrolmentService.get().enforceRevocation(requestContext.tenant(), host);
      } catch (NatsUnavailable | TemporalUnavailable e) {
        LOG.warn("{} of {} is not disconnected yet: {}", host, requestContext.tenant(), e.getMessage());
        done = false;
      }
    }
    return done;
  }
}
