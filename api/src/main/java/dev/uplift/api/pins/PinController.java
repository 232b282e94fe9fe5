package dev.uplift.api.pins;

import dev.uplift.api.notify.WaitNotifier;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.Etag;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.PackageName;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.pin.PinRepository;
import dev.uplift.store.pin.PinRow;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Put;
import io.micronaut.security.annotation.Secured;
import java.time.InstantSource;
import java.util.Optional;

/// Pins a package of a device to a version, or holds it.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/devices/{device}/pins")
@Secured(Roles.VIEWER)
final class PinController {
  private final DeviceRepository devices;
  private final PinRepository pins;
  private final AuditedTransaction transaction;
  private final WaitNotifier waitNotifier;
  private final InstantSource clock;

  PinController(
      DeviceRepository devices,
      PinRepository pins,
      AuditedTransaction transaction,
      WaitNotifier waitNotifier,
      InstantSource clock) {
    this.devices = devices;
    this.pins = pins;
    this.transaction = transaction;
    this.waitNotifier = waitNotifier;
    this.clock = clock;
  }

  /// Lists the pins of a device.
  ///
  /// All that are in force, by package: those that operators set, and what the owners of its hosts hold there.
  @Get
  PageResponse<PinView> listPins(RequestContext requestContext, DeviceId id) {
    if (devices.find(id).isEmpty()) {
      throw noDevice(id);
    }
    return new PageResponse<>(
        pins.find(id).stream().filter(row -> row.pin().isActiveAt(clock.instant())).map(PinView::of).toList(),
        Optional.empty());
  }

  /// Shows the pin of a package on a device.
  ///
  /// As an operator set it. It may be over.
  @Get("/{package}")
  @ResponseStatuses(304)
  HttpResponse<PinView> getPin(RequestContext requestContext, DeviceId id, PackageName packageName) {
    PinRow row = pins.find(id, packageName.value()).orElseThrow(() -> notFound(id, packageName));
    return Etag.isNotModified(requestContext, row.revision()) ? HttpResponse.notModified() : respond(row);
  }

  /// Pins a package of a device.
  ///
  /// To a version: no other one is installed. Or as a hold: none is. Rollouts respect it; a person may override it in
  /// an upgrade. Replaces an earlier pin of the package.
  @Put("/{package}")
  @Secured(Roles.OPERATOR)
  @ResponseStatuses({200, 201, 412})
  HttpResponse<PinView> setPin(
      RequestContext requestContext, DeviceId id, PackageName packageName, @Body SetPinRequest request) {
    Precondition precondition = Etag.precondition(requestContext);
    HttpResponse<PinView> set =
        transaction.run(requestContext, () -> set(requestContext, id, packageName, request, precondition));
    notifyWaiting(requestContext, id);
    return set;
  }

  private HttpResponse<PinView> set(
      RequestContext requestContext,
      DeviceId id,
      PackageName packageName,
      SetPinRequest request,
      Precondition precondition) {
    Optional<PinRow> before = lock(id, packageName, precondition);
    PinRow row =
        pins.set(
            id,
            packageName.value(),
            Optional.ofNullable(request.version()),
            request.reason(),
            requestContext.caller().name(),
            Optional.ofNullable(request.until()));
    if (!before.equals(Optional.of(row))) {
      devices.recordChange(id);
      transaction.recordAudit(requestContext, "pin.set", target(id, packageName), request.json().toString());
    }
    return respond(row).status(before.isPresent() ? HttpStatus.OK : HttpStatus.CREATED);
  }

  /// Removes the pin of a package on a device.
  ///
  /// What the owner of a host holds is ended on the host.
  @Delete("/{package}")
  @Secured(Roles.OPERATOR)
  @ResponseStatuses({204, 412})
  HttpResponse<?> removePin(RequestContext requestContext, DeviceId id, PackageName packageName) {
    Precondition precondition = Etag.precondition(requestContext);
    HttpResponse<?> removed =
        transaction.run(
            requestContext,
            () -> {
              PinRow before = lock(id, packageName, precondition).orElseThrow(() -> notFound(id, packageName));
              pins.remove(id, packageName.value());
              devices.recordChange(id);
              transaction.recordAudit(requestContext, "pin.remove", target(id, packageName), before.pin().describe());
              return HttpResponse.noContent();
            });
    notifyWaiting(requestContext, id);
    return removed;
  }

  private Optional<PinRow> lock(DeviceId id, PackageName packageName, Precondition precondition) {
    if (devices.lock(id).isEmpty()) {
      throw noDevice(id);
    }
    return Etag.requireVersion(precondition, "the pin", pins.find(id, packageName.value()), PinRow::revision);
  }

  private void notifyWaiting(RequestContext requestContext, DeviceId id) {
    if (!requestContext.isValidateOnly()) {
      waitNotifier.notifyDevice(id);
    }
  }

  private static MutableHttpResponse<PinView> respond(PinRow row) {
    return HttpResponse.ok(PinView.of(row)).header(HttpHeaders.ETAG, Etag.of(row.revision()));
  }

  private static ProblemException noDevice(DeviceId id) {
    return ProblemException.notFound("there is no device %s in %s".formatted(id.name(), id.tenant()));
  }

  private static ProblemException notFound(DeviceId id, PackageName packageName) {
    return ProblemException.notFound(
        "no operator has pinned %s on a device %s in %s".formatted(packageName, id.name(), id.tenant()));
  }

  private static String target(DeviceId id, PackageName packageName) {
    return "pin/%s/%s".formatted(id.name(), packageName);
  }
}
