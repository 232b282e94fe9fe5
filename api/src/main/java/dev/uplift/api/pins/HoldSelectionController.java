package dev.uplift.api.pins;

import dev.uplift.api.notify.WaitNotifier;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
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
  private final WaitNotifier waitNotifier;

  HoldSelectionController(DeviceRepository devices, SelectedDevices selectedDevices, WaitNotifier waitNotifier) {
    this.devices = devices;
    this.selectedDevices = selectedDevices;
    this.waitNotifier = waitNotifier;
  }

  /// Holds all devices that an expression selects.
  ///
  /// All or none of them, as if each was held by itself; a new hold replaces an earlier one. A device that the
  /// expression selects later is not held.
  @Post
  @ResponseStatuses(422)
  ChangedDevicesView holdDevices(RequestContext requestContext, @Body HoldSelectionRequest request) {
    String by = requestContext.caller().name();
    return new ChangedDevicesView(
        selectedDevices.change(
            requestContext,
            request,
            "devices.hold",
            "devices",
            names ->
                devices.holdAll(
                    requestContext.tenant(), names, request.reason(), by, Optional.ofNullable(request.until()))));
  }

  /// Ends the holds of all devices that an expression selects.
  @Post("/end")
  @ResponseStatuses(422)
  ChangedDevicesView endHolds(RequestContext requestContext, @Body EndHoldsRequest request) {
    int free =
        selectedDevices.change(
            requestContext,
            request,
            "devices.end-hold",
            "devices",
            names -> devices.releaseHolds(requestContext.tenant(), names));
    if (!requestContext.isValidateOnly()) {
      waitNotifier.notifyTenant(requestContext.tenant());
    }
    return new ChangedDevicesView(free);
  }
}
