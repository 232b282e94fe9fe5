package dev.uplift.api.enrolment;

import dev.uplift.api.json.JsonBody;
import dev.uplift.api.json.JsonField;
import dev.uplift.api.json.ValueReaders;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.store.device.DeviceRepository;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// Issues enrolment tokens for hosts, and revokes hosts.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}")
@Secured(Roles.ADMIN)
final class EnrolmentController {
  private static final Duration DEFAULT_VALIDITY = Duration.ofHours(1);
  private static final Duration MAX_VALIDITY = Duration.ofDays(7);
  private static final int MAX_HOSTS = 1000;

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
      RequestContext requestContext, DeviceId on, HostId who, HttpRequest<?> request) {
    JsonBody in = JsonBody.ofOrEmpty(request);
    JsonField<Duration> valid =
        in.optional("valid_for_seconds", ValueReaders.seconds(MAX_VALIDITY));
    in.throwIfInvalid();
    EnrolmentTokenIssuer enrolmentTokenIssuer = tokenIssuer(valid.orElse(DEFAULT_VALIDITY));
    return transaction.run(
        requestContext,
        () -> {
          if (devices.find(on).filter(row -> row.hosts().contains(who)).isEmpty()) {
            throw ProblemException.notFound(
                "there is no host %s on a device %s".formatted(who, on.name()));
          }
          return HttpResponse.created(createToken(requestContext, enrolmentTokenIssuer, on, who));
        });
  }

  /// The tokens that were created.
  @Serdeable
  record EnrolmentTokensView(List<EnrolmentTokenView> items) {}

  @Post("/enrolments")
  HttpResponse<EnrolmentTokensView> createTokens(
      RequestContext requestContext, HttpRequest<?> request) {
    tenants.requireExists(requestContext.tenant());
    JsonBody in = JsonBody.of(request);
    JsonField<Duration> valid =
        in.optional("valid_for_seconds", ValueReaders.seconds(MAX_VALIDITY));
    List<HostEnrolmentRequest> hosts =
        in.objectList("hosts", MAX_HOSTS).stream()
            .map(each -> HostEnrolmentRequest.read(requestContext, each))
            .toList();
    if (hosts.isEmpty()) {
      in.addErrorIfNew("/hosts", "expected 1 to %d hosts".formatted(MAX_HOSTS));
    }
    in.throwIfInvalid();
    EnrolmentTokenIssuer enrolmentTokenIssuer = tokenIssuer(valid.orElse(DEFAULT_VALIDITY));
    return transaction.run(
        requestContext,
        () -> {
          List<EnrolmentTokenView> made = new ArrayList<>();
          for (int i = 0; i < hosts.size(); i++) {
            HostEnrolmentRequest host = hosts.get(i).ensureOnDevice(devices, "/hosts/" + i);
            made.add(
                createToken(requestContext, enrolmentTokenIssuer, host.deviceId(), host.hostId()));
          }
          return HttpResponse.created(new EnrolmentTokensView(made));
        });
  }

  private EnrolmentTokenIssuer tokenIssuer(Duration valid) {
    return new EnrolmentTokenIssuer(
        hostAccess.requireEnrolmentService().settings(), hostAccess.enrolments(), clock, valid);
  }

  private EnrolmentTokenView createToken(
      RequestContext requestContext,
      EnrolmentTokenIssuer enrolmentTokenIssuer,
      DeviceId device,
      HostId host) {
    EnrolmentTokenView view = enrolmentTokenIssuer.issue(requestContext, device, host);
    transaction.recordAudit(
        requestContext, "host.create-token", "host/" + host, "until " + view.expiresAt());
    return view;
  }

  @Delete("/hosts/{host}/credentials")
  HttpResponse<?> revoke(RequestContext requestContext, HostId who) {
    tenants.requireExists(requestContext.tenant());
    var _ = hostAccess.requireEnrolmentService();
    var _ =
        transaction.run(
            requestContext,
            () -> {
              hostAccess.requireHost(requestContext, who);
              hostAccess.revoke(requestContext, List.of(who));
              transaction.recordAudit(requestContext, "host.revoke", "host/" + who, "");
              return true;
            });
    if (!hostAccess.disconnect(requestContext, List.of(who))) {
      throw ProblemException.unavailable("NATS or Temporal").withHeader("Retry-After", "5");
    }
    return HttpResponse.noContent();
  }

  @Post("/hosts/{host}/credentials/rotate")
  HttpResponse<?> rotate(RequestContext requestContext, HostId who) {
    tenants.requireExists(requestContext.tenant());
    var _ = hostAccess.requireEnrolmentService();
    boolean has =
        transaction.run(
            requestContext,
            () -> {
              if (!hostAccess.enrolments().requestRotation(requestContext.tenant(), who)) {
                return false;
              }
              transaction.recordAudit(requestContext, "host.rotate", "host/" + who, "");
              return true;
            });
    if (!has) {
      throw ProblemException.conflict(
          "%s has not enrolled, so it has no key to rotate".formatted(who));
    }
    return HttpResponse.noContent();
  }
}
