package dev.uplift.api.devices;

import dev.uplift.api.call.Call;
import dev.uplift.api.call.Changes;
import dev.uplift.api.call.Etag;
import dev.uplift.api.call.Ids;
import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shapes;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.api.wake.Wake;
import dev.uplift.fleet.DeviceId;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.Devices;
import dev.uplift.store.Expected;
import dev.uplift.store.Saved;
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
@ForApi
@Controller("/v1/tenants/{tenant}/devices/{device}/hold")
@Secured(Role.OPERATOR)
final class HoldController {
  private static final int REASON_CHARS = 500;

  private final Devices devices;
  private final Changes changes;
  private final Wake wake;
  private final InstantSource clock;

  HoldController(Devices devices, Changes changes, Wake wake, InstantSource clock) {
    this.devices = devices;
    this.changes = changes;
    this.wake = wake;
    this.clock = clock;
  }

  @Post
  HttpResponse<DeviceView> hold(Call call, String device, HttpRequest<?> request) {
    DeviceId id = Ids.device(call, device);
    Body in = Body.of(request);
    Field<String> reason = in.required("reason", Shapes.words(REASON_CHARS));
    Field<Instant> until = in.optional("until", Shapes.INSTANT);
    if (until.find().filter(end -> !end.isAfter(clock.instant())).isPresent()) {
      in.wrong("/until", "expected a time to come; it is past");
    }
    in.done();
    Expected expected = Etag.expected(call);
    String by = call.caller().name();
    return changes.make(
        call,
        () -> {
          Saved held = devices.hold(id, expected, reason.get(), by, until.find());
          return answer(call, "device.hold", in.toString(), id, held);
        });
  }

  @Delete
  HttpResponse<DeviceView> letGo(Call call, String device) {
    DeviceId id = Ids.device(call, device);
    Expected expected = Etag.expected(call);
    var free =
        changes.make(
            call, () -> answer(call, "device.let-go", "", id, devices.letGo(id, expected)));
    wake.allWith(id);
    return free;
  }

  private HttpResponse<DeviceView> answer(
      Call call, String action, String detail, DeviceId id, Saved saved) {
    return switch (saved) {
      case Saved.Changed(DeviceRow row) -> {
        changes.note(call, action, "device/" + id.name(), detail);
        yield answer(row);
      }
      case Saved.Unchanged(DeviceRow row) -> answer(row);
      case Saved.NotThere() -> throw DeviceRefusals.missing(id);
      case Saved.Stale(var found) -> throw DeviceRefusals.stale(found);
      case Saved.Created _, Saved.HostsTaken _, Saved.Busy _ ->
          throw new IllegalStateException("a hold changes no more than itself: " + saved);
    };
  }

  private HttpResponse<DeviceView> answer(DeviceRow row) {
    return HttpResponse.ok(DeviceView.of(row, clock.instant()))
        .header(HttpHeaders.ETAG, Etag.of(row.version()));
  }
}
