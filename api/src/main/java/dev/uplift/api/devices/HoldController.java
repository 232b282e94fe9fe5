package dev.uplift.api.devices;

import dev.uplift.api.notify.WaitNotifier;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.Etag;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.fleet.DeviceId;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.device.SaveResult;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import java.util.Optional;

/// Holds a device: nothing is upgraded on it until the hold ends.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/devices/{device}/hold")
@Secured(Roles.OPERATOR)
final class HoldController {
  private final DeviceRepository devices;
  private final AuditedTransaction transaction;
  private final WaitNotifier waitNotifier;
  private final DeviceResponses responses;

  HoldController(
      DeviceRepository devices, AuditedTransaction transaction, WaitNotifier waitNotifier, DeviceResponses responses) {
    this.devices = devices;
    this.transaction = transaction;
    this.waitNotifier = waitNotifier;
    this.responses = responses;
  }

  /// Holds a device.
  ///
  /// No upgrade is started on it until the hold ends; a new hold replaces an earlier one.
  @Post
  @ResponseStatuses(412)
  HttpResponse<DeviceView> holdDevice(RequestContext requestContext, DeviceId id, @Body HoldDeviceRequest request) {
    Precondition precondition = Etag.precondition(requestContext);
    String by = requestContext.caller().name();
    return transaction.run(
        requestContext,
        () -> {
          SaveResult held = devices.hold(id, precondition, request.reason(), by, Optional.ofNullable(request.until()));
          return responses.respond(requestContext, "device.hold", request.json().toString(), id, held);
        });
  }

  /// Ends the hold of a device.
  ///
  /// Responds alike if there is no hold.
  @Delete
  @ResponseStatuses(412)
  HttpResponse<DeviceView> endDeviceHold(RequestContext requestContext, DeviceId id) {
    Precondition precondition = Etag.precondition(requestContext);
    var free =
        transaction.run(
            requestContext,
            () -> responses.respond(requestContext, "device.end-hold", "", id, devices.releaseHold(id, precondition)));
    waitNotifier.notifyDevice(id);
    return free;
  }
}
