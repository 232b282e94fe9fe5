package dev.uplift.api.hosts;

import dev.uplift.activities.presence.Presence;
import dev.uplift.api.call.Call;
import dev.uplift.api.call.Ids;
import dev.uplift.api.call.Listing;
import dev.uplift.api.call.Takes;
import dev.uplift.api.filter.Filters;
import dev.uplift.api.problem.Refusal;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.Devices;
import dev.uplift.store.HostRow;
import dev.uplift.store.Hosts;
import dev.uplift.store.Page;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.security.annotation.Secured;
import java.util.List;
import java.util.Optional;

/// Shows hosts.
@ForApi
@Controller("/v1/tenants/{tenant}/hosts")
@Secured(Role.VIEWER)
final class HostController {
  private final Hosts hosts;
  private final Devices devices;
  private final Filters filters;
  private final Presence presence;
  private final KnownTenants tenants;

  HostController(
      Hosts hosts, Devices devices, Filters filters, Presence presence, KnownTenants tenants) {
    this.hosts = hosts;
    this.devices = devices;
    this.filters = filters;
    this.presence = presence;
    this.tenants = tenants;
  }

  @Get
  @Takes({"device", Filters.PARAMETER, "cursor", "limit"})
  Listing<HostView> list(Call call) {
    tenants.check(call.tenant());
    return call.text("device")
        .map(device -> of(call, Ids.device(call, device)))
        .orElseGet(() ->
            Listing.of(filters.hosts(call, page -> hosts.list(call.tenant(), page)), this::view));
  }

  /// All of a device, in its order; they fit one page.
  private Listing<HostView> of(Call call, DeviceId device) {
    DeviceRow row =
        devices
            .find(device)
            .orElseThrow(() ->
                Refusal.notFound(
                    "there is no device %s in %s".formatted(device.name(), call.tenant())));
    List<HostRow> all =
        row.hosts().stream().flatMap(host -> hosts.find(call.tenant(), host).stream()).toList();
    return Listing.of(filters.hosts(call, _ -> new Page<>(all, Optional.empty())), this::view);
  }

  @Get("/{host}")
  HostView get(Call call, String host) {
    HostId id = Ids.host(host);
    return hosts
        .find(call.tenant(), id)
        .map(this::view)
        .orElseThrow(
            () -> Refusal.notFound("there is no host %s in %s".formatted(id, call.tenant())));
  }

  private HostView view(HostRow row) {
    return HostView.of(
        row,
        presence.of(row.tenant(), row.host()),
        presence.beats(row.tenant(), row.host()),
        presence.silentUpTo());
  }
}
