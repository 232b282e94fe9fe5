package dev.uplift.api.devices;

import dev.uplift.api.call.Call;
import dev.uplift.api.call.Changes;
import dev.uplift.api.call.Etag;
import dev.uplift.api.call.Ids;
import dev.uplift.api.call.Listing;
import dev.uplift.api.call.Takes;
import dev.uplift.api.enrolment.Door;
import dev.uplift.api.filter.Filters;
import dev.uplift.api.json.Body;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.api.wake.Wake;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.store.DeviceFilter;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.DeviceSpec;
import dev.uplift.store.Devices;
import dev.uplift.store.Expected;
import dev.uplift.store.Hold;
import dev.uplift.store.Removal;
import dev.uplift.store.Saved;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Put;
import io.micronaut.security.annotation.Secured;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Devices: made, changed, shown, taken away.
@ForApi
@Controller("/v1/tenants/{tenant}/devices")
@Secured(Role.VIEWER)
final class DeviceController {
  private static final String MERGE_PATCH = "application/merge-patch+json";

  private final Devices devices;
  private final Filters filters;
  private final Changes changes;
  private final KnownTenants tenants;
  private final Door door;
  private final Wake wake;
  private final InstantSource clock;

  DeviceController(
      Devices devices,
      Filters filters,
      Changes changes,
      KnownTenants tenants,
      Door door,
      Wake wake,
      InstantSource clock) {
    this.devices = devices;
    this.filters = filters;
    this.changes = changes;
    this.tenants = tenants;
    this.door = door;
    this.wake = wake;
    this.clock = clock;
  }

  @Get
  @Takes({"labels", "package", "version", Filters.PARAMETER, "cursor", "limit"})
  Listing<DeviceView> list(Call call) {
    tenants.check(call.tenant());
    DeviceFilter which = DeviceSelection.of(call);
    return Listing.of(
        filters.devices(call, page -> devices.list(call.tenant(), which, page)), this::view);
  }

  @Get("/{device}")
  HttpResponse<DeviceView> get(Call call, String device) {
    DeviceId id = Ids.device(call, device);
    DeviceRow row = devices.find(id).orElseThrow(() -> DeviceRefusals.missing(id));
    // A hold that ends by itself makes no new version.
    boolean mayLapse = row.hold().flatMap(Hold::until).isPresent();
    return Etag.isKnown(call, row.version()) && !mayLapse
        ? HttpResponse.notModified()
        : answer(row);
  }

  @Put("/{device}")
  @Secured(Role.ADMIN)
  HttpResponse<DeviceView> put(Call call, String device, HttpRequest<?> request) {
    tenants.check(call.tenant());
    DeviceId id = Ids.device(call, device);
    var in = Body.of(request);
    DeviceSpec spec = DeviceWish.all(id, in);
    Expected expected = Etag.expected(call);
    var put =
        changes.make(
            call, () -> answer(call, "device.put", in.toString(), id, devices.put(spec, expected)));
    wake.allWith(id);
    return put;
  }

  @Patch("/{device}")
  @Consumes({MERGE_PATCH, MediaType.APPLICATION_JSON})
  @Secured(Role.ADMIN)
  HttpResponse<DeviceView> patch(Call call, String device, HttpRequest<?> request) {
    DeviceId id = Ids.device(call, device);
    var in = Body.of(request);
    UnaryOperator<DeviceSpec> change = DeviceWish.part(in);
    Expected expected = Etag.expected(call);
    var patched =
        changes.make(
            call,
            () ->
                answer(
                    call, "device.patch", in.toString(), id, devices.patch(id, expected, change)));
    wake.allWith(id);
    return patched;
  }

  @Delete("/{device}")
  @Secured(Role.ADMIN)
  HttpResponse<?> delete(Call call, String device) {
    Expected expected = Etag.expected(call);
    List<HostId> gone = new ArrayList<>();
    HttpResponse<?> deleted = changes.make(call, () -> delete(call, device, expected, gone));
    var _ = door.shutOut(call, gone);
    return deleted;
  }

  private HttpResponse<?> delete(Call call, String device, Expected expected, List<HostId> gone) {
    DeviceId id = Ids.device(call, device);
    return switch (devices.remove(id, expected)) {
      case Removal.Removed(DeviceRow row) -> {
        gone.addAll(row.hosts());
        door.revoke(call, gone);
        changes.note(call, "device.delete", "device/" + id.name(), "");
        yield HttpResponse.noContent();
      }
      case Removal.NotThere() -> throw DeviceRefusals.missing(id);
      case Removal.Stale(DeviceRow found) -> throw DeviceRefusals.stale(Optional.of(found));
      case Removal.Busy(String upgrade) ->
          throw DeviceRefusals.busy("%s is not removed".formatted(device), upgrade);
    };
  }

  private HttpResponse<DeviceView> answer(
      Call call, String action, String detail, DeviceId id, Saved saved) {
    return switch (saved) {
      case Saved.Created(DeviceRow row) -> {
        changes.note(call, action, "device/" + id.name(), detail);
        yield HttpResponse.created(view(row)).header(HttpHeaders.ETAG, Etag.of(row.version()));
      }
      case Saved.Changed(DeviceRow row) -> {
        changes.note(call, action, "device/" + id.name(), detail);
        yield answer(row);
      }
      case Saved.Unchanged(DeviceRow row) -> answer(row);
      case Saved.NotThere() -> throw DeviceRefusals.missing(id);
      case Saved.Stale(Optional<DeviceRow> found) -> throw DeviceRefusals.stale(found);
      case Saved.Busy(String upgrade) ->
          throw DeviceRefusals.busy("no host leaves %s".formatted(id.name()), upgrade);
      case Saved.HostsTaken taken -> throw DeviceRefusals.hostsTaken(taken);
    };
  }

  private HttpResponse<DeviceView> answer(DeviceRow row) {
    return HttpResponse.ok(view(row)).header(HttpHeaders.ETAG, Etag.of(row.version()));
  }

  private DeviceView view(DeviceRow row) {
    return DeviceView.of(row, clock.instant());
  }
}
