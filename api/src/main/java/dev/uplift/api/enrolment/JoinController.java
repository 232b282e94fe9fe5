package dev.uplift.api.enrolment;

import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.protocol.enrolment.EnrolmentResponse;
import dev.uplift.protocol.enrolment.JoinRequest;
import dev.uplift.protocol.enrolment.RenewRequest;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.services.enrolment.EnrolmentRejected;
import dev.uplift.services.enrolment.EnrolmentService.Grant;
import dev.uplift.services.enrolment.EnrolmentSettings;
import dev.uplift.services.messaging.NatsUnavailable;
import dev.uplift.store.audit.AuditEntry;
import dev.uplift.store.audit.AuditRepository;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import io.swagger.v3.oas.annotations.Hidden;

/// Enrols hosts and renews their JWTs. Requests need no token: they are signed by the host's key.
@RequiresApiRole
@Controller("/v1")
@Secured(SecurityRule.IS_ANONYMOUS)
@Hidden
final class JoinController {
  private final HostAccess hostAccess;
  private final TrustFiles trustFiles;
  private final AuditRepository audit;
  private final JoinRateLimiter rateLimiter;
  private final HttpServerConfiguration configuration;

  JoinController(
      HostAccess hostAccess,
      TrustFiles trustFiles,
      AuditRepository audit,
      JoinRateLimiter rateLimiter,
      HttpServerConfiguration configuration) {
    this.hostAccess = hostAccess;
    this.trustFiles = trustFiles;
    this.audit = audit;
    this.rateLimiter = rateLimiter;
    this.configuration = configuration;
  }

  private interface HostRequest {
    HttpResponse<byte[]> handle() throws EnrolmentRejected;
  }

  @Post("/join")
  HttpResponse<byte[]> join(HttpRequest<?> request, @Body byte[] body) {
    String address = clientAddress(request);
    rateLimiter.acquire(address);
    return handle(
        address,
        JoinRateLimiter.REJECTION_COST,
        () -> {
          JoinRequest asked = JoinRequest.read(body);
          rateLimiter.requirePartOf(asked.tenant());
          Grant grant = hostAccess.requireEnrolmentService().join(asked);
          rateLimiter.recordJoin(asked.tenant());
          recordAudit(request, asked.tenant(), grant, "host.join");
          return enrolmentResponse(asked.tenant(), grant);
        });
  }

  @Post("/renew")
  HttpResponse<byte[]> renew(HttpRequest<?> request, @Body byte[] body) {
    // A rejected renewal costs no extra: a revoked host repeats it for ever, and may share its
    // address with others.
    String address = clientAddress(request);
    return handle(
        address,
        0,
        () -> {
          admitRenewal(address, body);
          RenewRequest asked = RenewRequest.read(body);
          Grant grant = hostAccess.requireEnrolmentService().renew(asked);
          if (!asked.newKey().isEmpty()) {
            recordAudit(request, asked.tenant(), grant, "host.replace-key");
          }
          return enrolmentResponse(asked.tenant(), grant);
        });
  }

  /// A request that is signed by a key that counts does not compete with those of strangers.
  private void admitRenewal(String address, byte[] body) {
    RenewRequest asked;
    try {
      asked = RenewRequest.read(body);
    } catch (MalformedMessage | IllegalArgumentException e) {
      rateLimiter.acquire(address);
      throw e;
    }
    if (asked.hasValidSignatures() && rateLimiter.tryLookUp(address) && isCurrentKey(asked)) {
      rateLimiter.acquireOfHost(asked.key());
    } else {
      rateLimiter.acquire(address);
    }
  }

  private boolean isCurrentKey(RenewRequest asked) {
    return hostAccess.enrolments().isCurrentKey(asked.tenant(), asked.host(), asked.key());
  }

  private HttpResponse<byte[]> handle(String address, int denied, HostRequest hostRequest) {
    try {
      return hostRequest.handle();
    } catch (EnrolmentRejected e) {
      if (!e.challenge().isEmpty()) {
        throw ProblemException.forbidden(e.code(), e.text()).withHeader(RenewRequest.CHALLENGE_HEADER, e.challenge());
      }
      rateLimiter.recordRejection(address, denied, e.code());
      throw ProblemException.forbidden(e.code(), e.text());
    } catch (MalformedMessage | IllegalArgumentException e) {
      rateLimiter.recordRejection(address, JoinRateLimiter.REJECTION_COST, "malformed");
      throw ProblemException.badRequest(RequestError.atPointer("", String.valueOf(e.getMessage())));
    } catch (NatsUnavailable | TemporalUnavailable _) {
      throw ProblemException.unavailable("NATS or Temporal");
    }
  }

  /// Ignores other headers, such as `X-Forwarded-For`: a client could use a new address in every request.
  private String clientAddress(HttpRequest<?> request) {
    String header = configuration.getClientAddressHeader();
    String forwarded = header == null ? null : request.getHeaders().get(header);
    return forwarded == null ? request.getRemoteAddress().getAddress().getHostAddress() : forwarded;
  }

  private void recordAudit(HttpRequest<?> request, String tenant, Grant grant, String action) {
    String host = "host/" + grant.host();
    audit.append(new AuditEntry(tenant, host, action, host, clientAddress(request), ""));
  }

  private HttpResponse<byte[]> enrolmentResponse(String tenant, Grant grant) {
    EnrolmentSettings settings = hostAccess.requireEnrolmentService().settings();
    var enrolmentResponse =
        new EnrolmentResponse(
            tenant,
            grant.host().value(),
            settings.serverUrl(),
            settings.natsUrl(),
            grant.jwt(),
            settings.certificateAuthorities(),
            trustFiles.ofTenant(tenant),
            grant.rotate());
    return HttpResponse.ok(enrolmentResponse.write())
        .contentType(MediaType.APPLICATION_JSON_TYPE)
        .header("Cache-Control", "no-store");
  }
}
