package dev.uplift.api.enrolment;

import dev.uplift.api.enrolment.CreateTokensRequest.CreateTokenRequest;
import dev.uplift.api.enrolment.CreateTokensRequest.InvitedHost;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.RequestContext;
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

  @Post("/devices/{device}/hosts/{host}/enrolments")
  HttpResponse<EnrolmentTokenView> createToken(
      RequestContext requestContext,
      DeviceId deviceId,
      HostId hostId,
      @Nullable @Body CreateTokenRequest request) {
    CreateTokenRequest wanted = Objects.requireNonNullElse(request, CreateTokenRequest.EMPTY);
    EnrolmentTokenIssuer issuer = tokenIssuer(wanted.validForSeconds());
    return transaction.run(
        requestContext,
        () -> {
          if (devices.find(deviceId).filter(row -> row.hosts().contains(hostId)).isEmpty()) {
            throw ProblemException.notFound(
                "there is no host %s on a device %s".formatted(hostId, deviceId.name()));
          }
          return HttpResponse.created(createToken(requestContext, issuer, deviceId, hostId));
        });
  }

  /// The tokens that were created.
  @Serdeable
  record EnrolmentTokensView(List<EnrolmentTokenView> items) {}

  @Post("/enrolments")
  HttpResponse<EnrolmentTokensView> createTokens(
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
    transaction.recordAudit(
        requestContext, "host.create-token", "host/" + host, "until " + view.expiresAt());
    return view;
  }

  @Delete("/hosts/{host}/credentials")
  HttpResponse<?> revoke(RequestContext requestContext, HostId id) {
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

  @Post("/hosts/{host}/credentials/rotate")
  HttpResponse<?> rotate(RequestContext requestContext, HostId id) {
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
      throw ProblemException.conflict(
          "%s has not enrolled, so it has no key to rotate".formatted(id));
    }
    return HttpResponse.noContent();
  }
}
