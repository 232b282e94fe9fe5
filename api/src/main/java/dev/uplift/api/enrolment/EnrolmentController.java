package dev.uplift.api.enrolment;

import dev.uplift.api.enrolment.CreateTokensRequest.CreateTokenRequest;
import dev.uplift.api.enrolment.CreateTokensRequest.InvitedHost;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.store.device.DeviceRepository;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Issues enrolment tokens for hosts, and revokes hosts.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}")
@Secured(Roles.ADMIN)
final class EnrolmentController {
  private final HostAccess hostAccess;
  private final DeviceRepository devices;
  private final AuditedTransaction transaction;
  private final KnownTenants tenants;
  private final InstantSource clock;

  EnrolmentController(
      HostAccess hostAccess,
      DeviceRepository devices,
      AuditedTransaction transaction,
      KnownTenants tenants,
      InstantSource clock) {
    this.hostAccess = hostAccess;
    this.devices = devices;
    this.transaction = transaction;
    this.tenants = tenants;
    this.clock = clock;
  }

  /// Creates a token with which a host joins.
  ///
  /// Valid once, and for a short time; an earlier one that was not used becomes invalid. It is shown this once.
  @Post("/devices/{device}/hosts/{host}/enrolments")
  @ResponseStatuses(201)
  HttpResponse<EnrolmentTokenView> createEnrolmentToken(
      RequestContext requestContext, DeviceId deviceId, HostId hostId, @Nullable @Body CreateTokenRequest request) {
    CreateTokenRequest wanted = Objects.requireNonNullElse(request, CreateTokenRequest.EMPTY);
    EnrolmentTokenIssuer issuer = tokenIssuer(wanted.validForSeconds());
    return transaction.run(
        requestContext,
        () -> {
          if (devices.find(deviceId).filter(row -> row.hosts().contains(hostId)).isEmpty()) {
            throw ProblemException.notFound("there is no host %s on a device %s".formatted(hostId, deviceId.name()));
          }
          return HttpResponse.created(createToken(requestContext, issuer, deviceId, hostId));
        });
  }

  /// The tokens that were created.
  @Serdeable
  record EnrolmentTokensView(List<EnrolmentTokenView> items) {}

  /// Creates tokens for many hosts.
  ///
  /// All or none, in the order of the hosts. Missing devices are created, and the hosts are put on them.
  @Post("/enrolments")
  @ResponseStatuses({201, 409})
  HttpResponse<EnrolmentTokensView> createEnrolmentTokens(
      RequestContext requestContext, @Body CreateTokensRequest request) {
    tenants.requireExists(requestContext.tenant());
    EnrolmentTokenIssuer issuer = tokenIssuer(request.validForSeconds());
    return transaction.run(
        requestContext,
        () -> {
          List<EnrolmentTokenView> tokens = new ArrayList<>();
          for (int i = 0; i < request.hosts().size(); i++) {
            InvitedHost invited = request.hosts().get(i);
            DeviceId device = invited.device(requestContext.tenant());
            invited.ensureOnDevice(devices, device, "/hosts/" + i);
            tokens.add(createToken(requestContext, issuer, device, invited.host()));
          }
          return HttpResponse.created(new EnrolmentTokensView(tokens));
        });
  }

  private EnrolmentTokenIssuer tokenIssuer(int validForSeconds) {
    return new EnrolmentTokenIssuer(
        hostAccess.requireEnrolmentService().settings(),
        hostAccess.enrolments(),
        clock,
        Duration.ofSeconds(validForSeconds));
  }

  private EnrolmentTokenView createToken(
      RequestContext requestContext, EnrolmentTokenIssuer issuer, DeviceId device, HostId host) {
    EnrolmentTokenView view = issuer.issue(requestContext, device, host);
    transaction.recordAudit(requestContext, "host.create-token", "host/" + host, "until " + view.expiresAt());
    return view;
  }

  /// Revokes the credentials of a host.
  ///
  /// Its keys, and tokens for it, become invalid; its connections are closed. Responds alike if repeated.
  @Delete("/hosts/{host}/credentials")
  @ResponseStatuses(204)
  HttpResponse<?> revokeHostCredentials(RequestContext requestContext, HostId id) {
    tenants.requireExists(requestContext.tenant());
    var _ = hostAccess.requireEnrolmentService();
    var _ =
        transaction.run(
            requestContext,
            () -> {
              hostAccess.requireHost(requestContext, id);
              hostAccess.revoke(requestContext, List.of(id));
              transaction.recordAudit(requestContext, "host.revoke", "host/" + id, "");
              return true;
            });
    if (!hostAccess.disconnect(requestContext, List.of(id))) {
      throw ProblemException.unavailable("NATS or Temporal").withHeader("Retry-After", "5");
    }
    return HttpResponse.noContent();
  }

  /// Has a host replace its key.
  ///
  /// It does so with the next renewal of its credentials, which happens every day; the old key is valid until the new
  /// one is used.
  @Post("/hosts/{host}/credentials/rotate")
  @ResponseStatuses({204, 409})
  HttpResponse<?> rotateHostCredentials(RequestContext requestContext, HostId id) {
    tenants.requireExists(requestContext.tenant());
    var _ = hostAccess.requireEnrolmentService();
    boolean has =
        transaction.run(
            requestContext,
            () -> {
              if (!hostAccess.enrolments().requestRotation(requestContext.tenant(), id)) {
                return false;
              }
              transaction.recordAudit(requestContext, "host.rotate", "host/" + id, "");
              return true;
            });
    if (!has) {
      throw ProblemException.conflict("%s has not enrolled, so it has no key to rotate".formatted(id));
    }
    return HttpResponse.noContent();
  }
}
