package dev.uplift.api.devices;

import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.Etag;
import dev.uplift.api.request.RequestContext;
import dev.uplift.fleet.DeviceId;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.SaveResult;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.Optional;

/// Responses to requests that show or change a device.
@Singleton
final class DeviceResponses {
  private final AuditedTransaction transaction;
  private final InstantSource clock;

  DeviceResponses(AuditedTransaction transaction, InstantSource clock) {
    this.transaction = transaction;
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

  HttpResponse<DeviceView> respond(DeviceRow row) {
    return HttpResponse.ok(view(row)).header(HttpHeaders.ETAG, Etag.of(row.version()));
  }

  DeviceView view(DeviceRow row) {
    return DeviceView.of(row, clock.instant());
  }
}
