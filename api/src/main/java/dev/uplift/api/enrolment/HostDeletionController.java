package dev.uplift.api.enrolment;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.fleet.HostId;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.device.SaveResult;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.security.annotation.Secured;
import java.util.List;
import java.util.Optional;

/// Removes a host from the fleet.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/hosts/{host}")
@Secured(Roles.ADMIN)
final class HostDeletionController {
  private final HostRepository hosts;
  private final DeviceRepository devices;
  private final HostAccess hostAccess;
  private final AuditedTransaction transaction;

  HostDeletionController(
      HostRepository hosts, DeviceRepository devices, HostAccess hostAccess, AuditedTransaction transaction) {
    this.hosts = hosts;
    this.devices = devices;
    this.hostAccess = hostAccess;
    this.transaction = transaction;
  }

  /// Removes a host from the fleet.
  ///
  /// Refused while an upgrade of its device runs, and for the last host of a device. Its keys become invalid, and
  /// nothing waits for it any longer.
  @Delete
  @ResponseStatuses({204, 409})
  HttpResponse<?> deleteHost(RequestContext requestContext, HostId id) {
    var _ =
        transaction.run(
            requestContext,
            () -> {
              remove(requestContext, id);
              return true;
            });
    var _ = hostAccess.disconnect(requestContext, List.of(id));
    return HttpResponse.noContent();
  }

  private void remove(RequestContext requestContext, HostId host) {
    if (hosts.find(requestContext.tenant(), host).isEmpty()) {
      throw ProblemException.notFound("there is no host %s in %s".formatted(host, requestContext.tenant()));
    }
    Optional<DeviceRow> device = devices.findByHost(requestContext.tenant(), host);
    device.ifPresent(row -> removeFromDevice(row, host));
    hostAccess.revoke(requestContext, List.of(host));
    hosts.deleteUnassigned(requestContext.tenant(), host);
    transaction.recordAudit(requestContext, "host.delete", "host/" + host, "");
  }

  private void removeFromDevice(DeviceRow device, HostId host) {
    String name = device.id().name();
    if (device.hosts().size() == 1) {
      throw ProblemException.conflict("%s is the only host of %s: delete the device".formatted(host, name));
    }
    SaveResult saveResult = devices.patch(device.id(), Precondition.present(), spec -> withoutHost(spec, host));
    switch (saveResult) {
      case SaveResult.Updated _, SaveResult.Unchanged _ -> {}
      case SaveResult.Busy(String upgrade) ->
          throw ProblemException.conflict(
              "%s is not removed while the upgrade %s of %s runs; await its end or abort it"
                  .formatted(host, upgrade, name));
      case SaveResult.Created _, SaveResult.NotFound _, SaveResult.PreconditionFailed _, SaveResult.HostsTaken _ ->
          throw ProblemException.conflict("%s was changed meanwhile; try again".formatted(name));
    }
  }

  private static DeviceSpec withoutHost(DeviceSpec spec, HostId host) {
    return new DeviceSpec(
        spec.id(),
        spec.hosts().stream().filter(other -> !other.equals(host)).toList(),
        spec.labels(),
        spec.zone(),
        spec.windows());
  }
}
