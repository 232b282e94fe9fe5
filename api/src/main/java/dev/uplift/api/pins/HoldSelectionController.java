package dev.uplift.api.pins;

import dev.uplift.api.notify.WaitNotifier;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.store.device.DeviceRepository;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import java.util.Optional;

/// Holds many devices at once: nothing is upgraded on them until their holds end.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/holds")
@Secured(Roles.OPERATOR)
final class HoldSelectionController {
  private final DeviceRepository devices;
  private final SelectedDevices selectedDevices;
  private final AuditedTransaction transaction;
  private final KnownTenants tenants;
  private final WaitNotifier waitNotifier;

  HoldSelectionController(
      DeviceRepository devices,
      SelectedDevices selectedDevices,
      AuditedTransaction transaction,
      KnownTenants tenants,
      WaitNotifier waitNotifier) {
    this.devices = devices;
    this.selectedDevices = selectedDevices;
    this.transaction = transaction;
    this.tenants = tenants;
    this.waitNotifier = waitNotifier;
  }

  /// Holds all devices that an expression selects.
  ///
  /// All or none of them, as if each was held by itself; a new hold replaces an earlier one. A device that the
  /// expression selects later is not held.
  @Post
  @ResponseStatuses(422)
  ChangedDevicesView holdDevices(RequestContext requestContext, @Body HoldSelectionRequest request) {
    tenants.requireExists(requestContext.tenant());
    String by = requestContext.caller().name();
    return transaction.run(
        requestContext,
        () -> {
          int held =
              selectedDevices.change(
                  requestContext.tenant(),
                  request.selection(),
                  request.everything(),
                  names ->
                      devices.holdAll(
                          requestContext.tenant(), names, request.reason(), by, Optional.ofNullable(request.until())));
          transaction.recordAudit(
              requestContext,
              "devices.hold",
              "tenant/" + requestContext.tenant(),
              request.json().put("devices", held).toString());
          return new ChangedDevicesView(held);
        });
  }

  /// Ends the holds of all devices that an expression selects.
  @Post("/end")
  @ResponseStatuses(422)
  ChangedDevicesView endHolds(RequestContext requestContext, @Body EndHoldsRequest request) {
    tenants.requireExists(requestContext.tenant());
    ChangedDevicesView ended =
        transaction.run(
            requestContext,
            () -> {
              int free =
                  selectedDevices.change(
                      requestContext.tenant(),
                      request.selection(),
                      request.everything(),
                      names -> devices.releaseHolds(requestContext.tenant(), names));
              transaction.recordAudit(
                  requestContext,
                  "devices.end-hold",
                  "tenant/" + requestContext.tenant(),
                  request.json().put("devices", free).toString());
              return new ChangedDevicesView(free);
            });
    if (!requestContext.isValidateOnly()) {
      waitNotifier.notifyTenant(requestContext.tenant());
    }
    return ended;
  }
}
