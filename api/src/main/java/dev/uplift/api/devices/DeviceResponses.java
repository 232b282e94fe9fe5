package dev.uplift.api.devices;

import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.Etag;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.RequestContext;
import dev.uplift.fleet.DeviceId;
import dev.uplift.store.Page;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.SaveResult;
import dev.uplift.store.pin.PinRepository;
import dev.uplift.store.pin.PinRow;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Responses to requests that show or change a device.
@Singleton
final class DeviceResponses {
  private final AuditedTransaction transaction;
  private final PinRepository pins;
  private final InstantSource clock;

  DeviceResponses(AuditedTransaction transaction, PinRepository pins, InstantSource clock) {
    this.transaction = transaction;
    this.pins = pins;
    this.clock = clock;
  }

  /// Audits a change and shows the device, or says why it was not changed.
  HttpResponse<DeviceView> respond(
      RequestContext requestContext, String action, String detail, DeviceId id, SaveResult saveResult) {
    return switch (saveResult) {
      case SaveResult.Created(DeviceRow row) -> {
        transaction.recordAudit(requestContext, action, "device/" + id.name(), detail);
        yield HttpResponse.created(view(row)).header(HttpHeaders.ETAG, Etag.of(row.version()));
      }
      case SaveResult.Updated(DeviceRow row) -> {
        transaction.recordAudit(requestContext, action, "device/" + id.name(), detail);
        yield respond(row);
      }
      case SaveResult.Unchanged(DeviceRow row) -> respond(row);
      case SaveResult.NotFound() -> throw DeviceProblems.notFound(id);
      case SaveResult.PreconditionFailed(Optional<DeviceRow> found) ->
          throw DeviceProblems.preconditionFailed(requestContext, found);
      case SaveResult.Busy(String upgrade) ->
          throw DeviceProblems.busy("no host leaves %s".formatted(id.name()), upgrade);
      case SaveResult.HostsTaken taken -> throw DeviceProblems.hostsTaken(taken);
    };
  }

  private HttpResponse<DeviceView> respond(DeviceRow row) {
    return respond(row, pins.find(row.id()));
  }

  HttpResponse<DeviceView> respond(DeviceRow row, List<PinRow> pinned) {
    return HttpResponse.ok(DeviceView.of(row, pinned, clock.instant()))
        .header(HttpHeaders.ETAG, Etag.of(row.version()));
  }

  /// Shows a page of devices by name, whose pins are read in one statement.
  PageResponse<DeviceView> respond(Page<DeviceRow> page) {
    if (page.rows().isEmpty()) {
      return new PageResponse<>(List.of(), page.next());
    }
    Map<String, List<PinRow>> pinned =
        pins
            .listOfDevices(page.rows().getFirst().tenant(), page.rows().getFirst().name(), page.rows().getLast().name())
            .stream()
            .collect(Collectors.groupingBy(PinRow::device));
    return PageResponse.of(
        page, row -> DeviceView.of(row, pinned.getOrDefault(row.name(), List.of()), clock.instant()));
  }

  private DeviceView view(DeviceRow row) {
    return DeviceView.of(row, pins.find(row.id()), clock.instant());
  }
}
