package dev.uplift.api.devices;

import dev.uplift.api.notify.WaitNotifier;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.Etag;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.fleet.DeviceId;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.device.SaveResult;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import java.time.InstantSource;
import java.util.Optional;

/// Holds a device: nothing is upgraded on it until the hold ends.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/devices/{device}/hold")
@Secured(Roles.OPERATOR)
final class HoldController {
  private final DeviceRepository devices;
  private final AuditedTransaction transaction;
  private final WaitNotifier waitNotifier;
  private final InstantSource clock;

  HoldController(
      DeviceRepository devices,
      AuditedTransaction transaction,
      WaitNotifier waitNotifier,
      InstantSource clock) {
    this.devices = devices;
    this.transaction = transaction;
    this.waitNotifier = waitNotifier;
    this.clock = clock;
  }

  @Post
  HttpResponse<DeviceView> hold(
      RequestContext requestContext, DeviceId id, @Body HoldDeviceRequest request) {
    Precondition precondition = Etag.precondition(requestContext);
    String by = requestContext.caller().name();
    return transaction.run(
        requestContext,
        () -> {
          SaveResult held =
              devices.hold(
                  id, precondition, request.reason(), by, Optional.ofNullable(request.until()));
          return respond(requestContext, "device.hold", request.json().toString(), id, held);
        });
  }

  @Delete
  HttpResponse<DeviceView> endHold(RequestContext requestContext, DeviceId id) {
    Precondition precondition = Etag.precondition(requestContext);
    var free =
        transaction.run(
            requestContext,
            () ->
                respond(
                    requestContext,
                    "device.end-hold",
                    "",
                    id,
                    devices.releaseHold(id, precondition)));
    waitNotifier.notifyDevice(id);
    return free;
  }

  private HttpResponse<DeviceView> respond(
      RequestContext requestContext,
      String action,
      String detail,
      DeviceId id,
      SaveResult saveResult) {
    return switch (saveResult) {
      case SaveResult.Updated(DeviceRow row) -> {
        transaction.recordAudit(requestContext, action, "device/" + id.name(), detail);
        yield respond(row);
      }
      case SaveResult.Unchanged(DeviceRow row) -> respond(row);
      case SaveResult.NotFound() -> throw DeviceProblems.notFound(id);
      case SaveResult.PreconditionFailed(var found) ->
          throw DeviceProblems.preconditionFailed(found);
      case SaveResult.Created _, SaveResult.HostsTaken _, SaveResult.Busy _ ->
          throw new IllegalStateException("a hold changes no more than itself: " + saveResult);
    };
  }

  private HttpResponse<DeviceView> respond(DeviceRow row) {
    return HttpResponse.ok(DeviceView.of(row, clock.instant()))
        .header(HttpHeaders.ETAG, Etag.of(row.version()));
  }
}
