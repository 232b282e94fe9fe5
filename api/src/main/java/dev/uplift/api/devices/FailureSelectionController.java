package dev.uplift.api.devices;

import dev.uplift.api.notify.WaitNotifier;
import dev.uplift.api.pins.SelectedDevices;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.store.upgrade.FailureRepository;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;

/// Clears the failures of many devices at once.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/clear-failures")
@Secured(Roles.OPERATOR)
final class FailureSelectionController {
  private final FailureRepository failures;
  private final SelectedDevices selectedDevices;
  private final WaitNotifier waitNotifier;

  FailureSelectionController(FailureRepository failures, SelectedDevices selectedDevices, WaitNotifier waitNotifier) {
    this.failures = failures;
    this.selectedDevices = selectedDevices;
    this.waitNotifier = waitNotifier;
  }

  /// Clears the failures of a release on all devices that an expression selects.
  ///
  /// As if each device was cleared by itself, all or none of them. On a device that the expression selects later
  /// failures count.
  @Post
  @ResponseStatuses(422)
  ClearedFailuresView clearFailures(RequestContext requestContext, @Body ClearSelectedFailuresRequest request) {
    int cleared =
        selectedDevices.change(
            requestContext,
            request,
            "devices.clear-failures",
            "cleared",
            names -> failures.clearFailures(requestContext.tenant(), names, request.release()));
    if (!requestContext.isValidateOnly()) {
      waitNotifier.notifyTenant(requestContext.tenant());
    }
    return new ClearedFailuresView(cleared);
  }
}
