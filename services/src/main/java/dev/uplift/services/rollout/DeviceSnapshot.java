package dev.uplift.services.rollout;

import dev.uplift.services.Repositories;
import dev.uplift.services.selection.SelectableDevice;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.HostRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A device with its hosts, as recorded.
public record DeviceSnapshot(DeviceRow device, List<HostRow> hosts) {
  private static final PageRequest PAGE = PageRequest.first(PageRequest.MAX_LIMIT);

  /// Of more devices, all are read, page by page.
  private static final int MAX_READ_BY_KEY = 500;

  public DeviceSnapshot {
    hosts = List.copyOf(hosts);
  }

  /// All devices of a tenant, by name.
  public static List<DeviceSnapshot> loadAll(Repositories repositories, String tenant) {
    Map<String, List<HostRow>> hosts = hosts(repositories, tenant);
    List<DeviceSnapshot> sites = new ArrayList<>();
    Optional<PageRequest> next = Optional.of(PAGE);
    while (next.isPresent()) {
      Page<DeviceRow> page = repositories.devices().list(tenant, Map.of(), next.get());
      page.rows().forEach(row -> sites.add(new DeviceSnapshot(row, hosts.getOrDefault(row.id().name(), List.of()))));
      next = PAGE.next(page);
    }
    return sites;
  }

  /// These devices of a tenant, by name, without those that do not exist.
  public static List<DeviceSnapshot> load(Repositories repositories, String tenant, Collection<String> names) {
    if (names.size() > MAX_READ_BY_KEY) {
      Set<String> wanted = Set.copyOf(names);
      return loadAll(repositories, tenant).stream().filter(device -> wanted.contains(device.name())).toList();
    }
    Map<String, DeviceRow> rows = repositories.devices().findAll(tenant, names);
    Map<String, List<HostRow>> hosts = repositories.hosts().findByDevices(tenant, rows.keySet());
    return rows.values().stream()
        .map(row -> new DeviceSnapshot(row, hosts.getOrDefault(row.id().name(), List.of())))
        .sorted(Comparator.comparing(DeviceSnapshot::name))
        .toList();
  }

  private static Map<String, List<HostRow>> hosts(Repositories repositories, String tenant) {
    Map<String, List<HostRow>> hosts = new HashMap<>();
    Optional<PageRequest> next = Optional.of(PAGE);
    while (next.isPresent()) {
      Page<HostRow> page = repositories.hosts().list(tenant, next.get());
      for (HostRow row : page.rows()) {
        row.device().ifPresent(name -> hosts.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(row));
      }
      next = PAGE.next(page);
    }
    return hosts;
  }

  public String name() {
    return device.id().name();
  }

  /// As an expression sees it.
  public SelectableDevice selectable() {
    Map<String, String> versions = new HashMap<>();
    for (HostRow host : hosts) {
      host.versions()
          .forEach((packageName, version) ->
              versions.merge(packageName, version, (one, other) -> one.equals(other) ? one : SelectableDevice.MIXED));
    }
    return new SelectableDevice(
        name(), device.spec().labels(), versions, device.hosts().size(), device.spec().zone().getId());
  }
}
