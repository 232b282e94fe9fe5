package dev.uplift.api.devices;

import dev.uplift.api.notify.WaitNotifier;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.fleet.DeviceId;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.upgrade.FailureRepository;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;

/// Clears failures: a release that failed on a device may be started there again by a program.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/devices/{device}/clear-failures")
@Secured(Roles.OPERATOR)
final class FailureController {
  private final DeviceRepository devices;
  private final FailureRepository failures;
  private final AuditedTransaction transaction;
  private final WaitNotifier waitNotifier;

  FailureController(
      DeviceRepository devices, FailureRepository failures, AuditedTransaction transaction, WaitNotifier waitNotifier) {
    this.devices = devices;
    this.failures = failures;
    this.transaction = transaction;
    this.waitNotifier = waitNotifier;
  }

  /// Clears the failures of a release on a device.
  ///
  /// Rollouts leave a device out on which their release has failed (`failed-before`). From now on they take it again,
  /// until the release fails there once more. The records of the upgrades stay. Responds alike if there is no failure.
  @Post
  HttpResponse<ClearedFailuresView> clearDeviceFailures(
      RequestContext requestContext, DeviceId id, @Body ClearFailuresRequest request) {
    int cleared =
        transaction.run(
            requestContext,
            () -> {
              if (devices.find(id).isEmpty()) {
                throw DeviceProblems.notFound(id);
              }
              int count = failures.clearFailures(id, request.release());
              if (count > 0) {
                String detail = request.release() + ": " + request.reason();
                transaction.recordAudit(requestContext, "device.clear-failures", "device/" + id.name(), detail);
              }
              return count;
            });
    if (!requestContext.isValidateOnly()) {
      waitNotifier.notifyDevice(id);
    }
    return HttpResponse.ok(new ClearedFailuresView(cleared));
  }
}
