package dev.uplift.activities.rollout;

import dev.uplift.activities.links.Tables;
import dev.uplift.activities.selection.Selectable;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.HostRow;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A device with its hosts, as both stand in the records.
public record Site(DeviceRow device, List<HostRow> hosts) {
  private static final PageRequest PAGE = PageRequest.first(PageRequest.MOST);

  public Site {
    hosts = List.copyOf(hosts);
  }

  /// All devices of a tenant, by name.
  public static List<Site> all(Tables tables, String tenant) {
    Map<String, List<HostRow>> hosts = hosts(tables, tenant);
    List<Site> sites = new ArrayList<>();
    Optional<PageRequest> next = Optional.of(PAGE);
    while (next.isPresent()) {
      Page<DeviceRow> page = tables.devices().list(tenant, Map.of(), next.get());
      page.rows()
          .forEach(row -> sites.add(new Site(row, hosts.getOrDefault(row.id().name(), List.of()))));
      next = PAGE.after(page);
    }
    return sites;
  }

  private static Map<String, List<HostRow>> hosts(Tables tables, String tenant) {
    Map<String, List<HostRow>> hosts = new HashMap<>();
    Optional<PageRequest> next = Optional.of(PAGE);
    while (next.isPresent()) {
      Page<HostRow> page = tables.hosts().list(tenant, next.get());
      for (HostRow row : page.rows()) {
        row.device()
            .ifPresent(name -> hosts.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(row));
      }
      next = PAGE.after(page);
    }
    return hosts;
  }

  public String name() {
    return device.id().name();
  }

  /// As an expression sees it.
  public Selectable selectable() {
    Map<String, String> versions = new HashMap<>();
    for (HostRow host : hosts) {
      host.versions()
          .forEach((packageName, version) ->
              versions.merge(
                  packageName,
                  version,
                  (one, other) -> one.equals(other) ? one : Selectable.MIXED));
    }
    return new Selectable(
        name(),
        device.spec().labels(),
        versions,
        device.hosts().size(),
        device.spec().zone().getId());
  }
}
