package dev.uplift.api.devices;

import dev.uplift.api.devices.PutDeviceRequest.PatchDeviceRequest;
import dev.uplift.api.enrolment.HostAccess;
import dev.uplift.api.filter.Filters;
import dev.uplift.api.json.RequestBodyReader;
import dev.uplift.api.notify.WaitNotifier;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.Etag;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.pin.PinOrigin;
import dev.uplift.store.device.DeviceFilter;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.Hold;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.device.RemoveResult;
import dev.uplift.store.device.SaveResult;
import dev.uplift.store.pin.PinRepository;
import dev.uplift.store.pin.PinRow;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Put;
import io.micronaut.security.annotation.Secured;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/// Creates, changes, shows and deletes devices.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/devices")
@Secured(Roles.VIEWER)
final class DeviceController {
  private final DeviceRepository devices;
  private final PinRepository pins;
  private final Filters filters;
  private final AuditedTransaction transaction;
  private final KnownTenants tenants;
  private final HostAccess hostAccess;
  private final WaitNotifier waitNotifier;
  private final DeviceResponses responses;

  DeviceController(
      DeviceRepository devices,
      PinRepository pins,
      Filters filters,
      AuditedTransaction transaction,
      KnownTenants tenants,
      HostAccess hostAccess,
      WaitNotifier waitNotifier,
      DeviceResponses responses) {
    this.devices = devices;
    this.pins = pins;
    this.filters = filters;
    this.transaction = transaction;
    this.tenants = tenants;
    this.hostAccess = hostAccess;
    this.waitNotifier = waitNotifier;
    this.responses = responses;
  }

  /// Lists devices, by name.
  ///
  /// All, or those with certain labels, those that run a version of a package, or those for which an expression is
  /// true.
  @Get
  @QueryParameters({"labels", "package", "version", Filters.PARAMETER, "cursor", "limit"})
  PageResponse<DeviceView> listDevices(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    DeviceFilter which = DeviceFilterReader.read(requestContext);
    return responses.respond(
        filters.devices(requestContext, page -> devices.list(requestContext.tenant(), which, page)));
  }

  /// Shows a device.
  @Get("/{device}")
  @ResponseStatuses(304)
  HttpResponse<DeviceView> getDevice(RequestContext requestContext, DeviceId id) {
    DeviceRow row = devices.find(id).orElseThrow(() -> DeviceProblems.notFound(id));
    List<PinRow> pinned = pins.find(id);
    // What ends by itself makes no new version.
    boolean mayLapse =
        row.hold().flatMap(Hold::until).isPresent()
            || pinned.stream().anyMatch(pin -> pin.until().isPresent() || pin.origin() == PinOrigin.HOST);
    return Etag.isNotModified(requestContext, row.version()) && !mayLapse
        ? HttpResponse.notModified()
        : responses.respond(row, pinned);
  }

  /// Creates a device, or replaces it.
  ///
  /// A hold of the device stays. A host is on one device at most, and does not leave its device while an upgrade of
  /// that device runs.
  @Put("/{device}")
  @Secured(Roles.ADMIN)
  @ResponseStatuses({200, 201, 409, 412})
  HttpResponse<DeviceView> putDevice(RequestContext requestContext, DeviceId id, @Body PutDeviceRequest request) {
    tenants.requireExists(requestContext.tenant());
    DeviceSpec spec = request.spec(id);
    Precondition precondition = Etag.precondition(requestContext);
    return save(requestContext, "device.put", request.json().toString(), id, () -> devices.put(spec, precondition));
  }

  /// Changes a part of a device.
  ///
  /// A merge patch (RFC 7396): an absent field stays as it is; `null` removes a label, all labels, all windows, or the
  /// zone, which then is UTC.
  @Patch("/{device}")
  @Consumes({RequestBodyReader.MERGE_PATCH, MediaType.APPLICATION_JSON})
  @Secured(Roles.ADMIN)
  @ResponseStatuses({409, 412})
  HttpResponse<DeviceView> patchDevice(RequestContext requestContext, DeviceId id, @Body PatchDeviceRequest request) {
    Precondition precondition = Etag.precondition(requestContext);
    return save(
        requestContext,
        "device.patch",
        request.json().toString(),
        id,
        () -> devices.patch(id, precondition, request::applyTo));
  }

  /// A request that changes nothing, as most of a synchronization do, notifies nothing that waits.
  private HttpResponse<DeviceView> save(
      RequestContext requestContext, String action, String detail, DeviceId id, Supplier<SaveResult> change) {
    var changed = new AtomicBoolean();
    HttpResponse<DeviceView> response =
        transaction.run(
            requestContext,
            () -> {
              SaveResult result = change.get();
              changed.set(!(result instanceof SaveResult.Unchanged));
              return responses.respond(requestContext, action, detail, id, result);
            });
    if (changed.get()) {
      waitNotifier.notifyDevice(id);
    }
    return response;
  }

  /// Deletes a device.
  ///
  /// Its upgrades stay in the records. Refused while an upgrade of it runs.
  @Delete("/{device}")
  @Secured(Roles.ADMIN)
  @ResponseStatuses({204, 409, 412})
  HttpResponse<?> deleteDevice(RequestContext requestContext, DeviceId id) {
    Precondition precondition = Etag.precondition(requestContext);
    List<HostId> gone = new ArrayList<>();
    HttpResponse<?> deleted = transaction.run(requestContext, () -> delete(requestContext, id, precondition, gone));
    var _ = hostAccess.disconnect(requestContext, gone);
    return deleted;
  }

  private HttpResponse<?> delete(
      RequestContext requestContext, DeviceId id, Precondition precondition, List<HostId> gone) {
    return switch (devices.remove(id, precondition)) {
      case RemoveResult.Removed(DeviceRow row) -> {
        gone.addAll(row.hosts());
        hostAccess.revoke(requestContext, gone);
        transaction.recordAudit(requestContext, "device.delete", "device/" + id.name(), "");
        yield HttpResponse.noContent();
      }
      case RemoveResult.NotFound() -> throw DeviceProblems.notFound(id);
      case RemoveResult.PreconditionFailed(DeviceRow found) ->
          throw DeviceProblems.preconditionFailed(requestContext, Optional.of(found));
      case RemoveResult.Busy(String upgrade) ->
          throw DeviceProblems.busy("%s is not removed".formatted(id.name()), upgrade);
    };
  }
}
