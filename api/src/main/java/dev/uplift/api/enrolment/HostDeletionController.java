package dev.uplift.api.enrolment;

import dev.uplift.api.call.Call;
import dev.uplift.api.call.Changes;
import dev.uplift.api.call.Ids;
import dev.uplift.api.problem.Refusal;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.fleet.HostId;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.DeviceSpec;
import dev.uplift.store.Devices;
import dev.uplift.store.Expected;
import dev.uplift.store.Hosts;
import dev.uplift.store.Saved;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.security.annotation.Secured;
import java.util.List;
import java.util.Optional;

/// Takes a host out of the fleet.
@ForApi
@Controller("/v1/tenants/{tenant}/hosts/{host}")
@Secured(Role.ADMIN)
final class HostDeletionController {
  private final Hosts hosts;
  private final Devices devices;
  private final Door door;
  private final Changes changes;

  HostDeletionController(Hosts hosts, Devices devices, Door door, Changes changes) {
    this.hosts = hosts;
    this.devices = devices;
    this.door = door;
    this.changes = changes;
  }

  /// Not while an upgrade of its device runs, and not the last one of a device.
  @Delete
  HttpResponse<?> delete(Call call, String host) {
    HostId who = Ids.host(host);
    var _ =
        changes.make(
            call,
            () -> {
              remove(call, who);
              return true;
            });
    var _ = door.shutOut(call, List.of(who));
    return HttpResponse.noContent();
  }

  private void remove(Call call, HostId host) {
    if (hosts.find(call.tenant(), host).isEmpty()) {
      throw Refusal.notFound("there is no host %s in %s".formatted(host, call.tenant()));
    }
    Optional<DeviceRow> device = devices.ofHost(call.tenant(), host);
    device.ifPresent(row -> leave(row, host));
    door.revoke(call, List.of(host));
    hosts.forget(call.tenant(), host);
    changes.note(call, "host.delete", "host/" + host, "");
  }

  private void leave(DeviceRow device, HostId host) {
    String name = device.id().name();
    if (device.hosts().size() == 1) {
      throw Refusal.conflict("%s is the only host of %s: delete the device".formatted(host, name));
    }
    Saved saved = devices.patch(device.id(), Expected.present(), spec -> without(spec, host));
    switch (saved) {
      case Saved.Changed _, Saved.Unchanged _ -> {}
      case Saved.Busy(String upgrade) ->
          throw Refusal.conflict(
              "%s is not removed while the upgrade %s of %s runs; await its end or abort it"
                  .formatted(host, upgrade, name));
      case Saved.Created _, Saved.NotThere _, Saved.Stale _, Saved.HostsTaken _ ->
          throw Refusal.conflict("%s was changed meanwhile; try again".formatted(name));
    }
  }

  private static DeviceSpec without(DeviceSpec spec, HostId host) {
    return new DeviceSpec(
        spec.id(),
        spec.hosts().stream().filter(other -> !other.equals(host)).toList(),
        spec.labels(),
        spec.zone(),
        spec.windows());
  }
}
