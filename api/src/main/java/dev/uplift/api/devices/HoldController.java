package dev.uplift.api.devices;

import dev.uplift.api.json.JsonBody;
import dev.uplift.api.json.JsonField;
import dev.uplift.api.json.ValueReaders;
import dev.uplift.api.notify.WaitNotifier;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.Etag;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.fleet.DeviceId;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.device.SaveResult;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import java.time.Instant;
import java.time.InstantSource;

/// Holds a device: nothing is upgraded on it until the hold ends.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/devices/{device}/hold")
@Secured(Roles.OPERATOR)
final class HoldController {
  private static final int REASON_CHARS = 500;

  private final DeviceRepository devices;
  private final AuditedTransaction transaction;
  private final WaitNotifier waitNotifier;
  private final InstantSource clock;

  HoldController(
      DeviceRepository devices,
      AuditedTransaction transaction,
      WaitNotifier waitNotifier,
      InstantSource clock) {
    this.devices = devices;
    this.transaction = transaction;
    this.waitNotifier = waitNotifier;
    this.clock = clock;
  }

  @Post
  HttpResponse<DeviceView> hold(
      RequestContext requestContext, DeviceId id, HttpRequest<?> request) {
    JsonBody in = JsonBody.of(request);
    JsonField<String> reason = in.required("reason", ValueReaders.nonBlankText(REASON_CHARS));
    JsonField<Instant> until = in.optional("until", ValueReaders.INSTANT);
    if (until.asOptional().filter(end -> !end.isAfter(clock.instant())).isPresent()) {
      in.addError("/until", "expected a time to come; it is past");
    }
    in.throwIfInvalid();
    Precondition precondition = Etag.precondition(requestContext);
    String by = requestContext.caller().name();
    return transaction.run(
        requestContext,
        () -> {
          SaveResult held = devices.hold(id, precondition, reason.get(), by, until.asOptional());
          return respond(requestContext, "device.hold", in.toString(), id, held);
        });
  }

  @Delete
  HttpResponse<DeviceView> endHold(RequestContext requestContext, DeviceId id) {
    Precondition precondition = Etag.precondition(requestContext);
    var free =
        transaction.run(
            requestContext,
            () ->
                respond(
                    requestContext,
                    "device.end-hold",
                    "",
                    id,
                    devices.releaseHold(id, precondition)));
    waitNotifier.notifyDevice(id);
    return free;
  }

  private HttpResponse<DeviceView> respond(
      RequestContext requestContext,
      String action,
      String detail,
      DeviceId id,
      SaveResult saveResult) {
    return switch (saveResult) {
      case SaveResult.Updated(DeviceRow row) -> {
        transaction.recordAudit(requestContext, action, "device/" + id.name(), detail);
        yield respond(row);
      }
      case SaveResult.Unchanged(DeviceRow row) -> respond(row);
      case SaveResult.NotFound() -> throw DeviceProblems.notFound(id);
      case SaveResult.PreconditionFailed(var found) ->
          throw DeviceProblems.preconditionFailed(found);
      case SaveResult.Created _, SaveResult.HostsTaken _, SaveResult.Busy _ ->
          throw new IllegalStateException("a hold changes no more than itself: " + saveResult);
    };
  }

  private HttpResponse<DeviceView> respond(DeviceRow row) {
    return HttpResponse.ok(DeviceView.of(row, clock.instant()))
        .header(HttpHeaders.ETAG, Etag.of(row.version()));
  }
}
