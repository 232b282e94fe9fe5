package dev.uplift.api.devices;

import dev.uplift.api.notify.WaitNotifier;
import dev.uplift.api.pins.SelectedDevices;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.store.upgrade.UpgradeRepository;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;

/// Clears the failures of many devices at once.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/clear-failures")
@Secured(Roles.OPERATOR)
final class FailureSelectionController {
  private final UpgradeRepository upgrades;
  private final SelectedDevices selectedDevices;
  private final AuditedTransaction transaction;
  private final KnownTenants tenants;
  private final WaitNotifier waitNotifier;

  FailureSelectionController(
      UpgradeRepository upgrades,
      SelectedDevices selectedDevices,
      AuditedTransaction transaction,
      KnownTenants tenants,
      WaitNotifier waitNotifier) {
    this.upgrades = upgrades;
    this.selectedDevices = selectedDevices;
    this.transaction = transaction;
    this.tenants = tenants;
    this.waitNotifier = waitNotifier;
  }

  /// Clears the failures of a release on all devices that an expression selects.
  ///
  /// As if each device was cleared by itself, all or none of them. On a device that the expression selects later
  /// failures count.
  @Post
  @ResponseStatuses(422)
  ClearedFailuresView clearFailures(RequestContext requestContext, @Body ClearSelectedFailuresRequest request) {
    tenants.requireExists(requestContext.tenant());
    ClearedFailuresView cleared =
        transaction.run(
            requestContext,
            () -> {
              int count =
                  selectedDevices.change(
                      requestContext.tenant(),
                      request.selection(),
                      request.everything(),
                      names -> upgrades.clearFailures(requestContext.tenant(), names, request.release()));
              transaction.recordAudit(
                  requestContext,
                  "devices.clear-failures",
                  "tenant/" + requestContext.tenant(),
                  request.json().put("cleared", count).toString());
              return new ClearedFailuresView(count);
            });
    if (!requestContext.isValidateOnly()) {
      waitNotifier.notifyTenant(requestContext.tenant());
    }
    return cleared;
  }
}
