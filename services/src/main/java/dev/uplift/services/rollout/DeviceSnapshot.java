package dev.uplift.services.rollout;

import dev.uplift.services.Repositories;
import dev.uplift.services.selection.SelectableDevice;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.HostSoftware;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A device with its hosts, as recorded.
public record DeviceSnapshot(DeviceRow device, List<HostSoftware> hosts) {
  private static final PageRequest PAGE = PageRequest.first(PageRequest.MAX_LIMIT);

  /// Of more devices, all are read, page by page.
  private static final int MAX_READ_BY_KEY = 500;

  public DeviceSnapshot {
    hosts = List.copyOf(hosts);
  }

  /// Each device of a page with its hosts. One statement.
  ///
  /// @param page devices of a tenant that follow each other by name
  public static List<DeviceSnapshot> of(HostRepository hosts, List<DeviceRow> page) {
    if (page.isEmpty()) {
      return List.of();
    }
    DeviceRow first = page.getFirst();
    Map<String, List<HostSoftware>> ofDevices = hosts.findSoftware(first.tenant(), first.name(), page.getLast().name());
    return page.stream().map(row -> new DeviceSnapshot(row, ofDevices.getOrDefault(row.name(), List.of()))).toList();
  }

  /// Each device with its hosts. A statement for each, so that none between them is read.
  public static List<DeviceSnapshot> ofEach(HostRepository hosts, Collection<DeviceRow> rows) {
    return rows.stream().flatMap(row -> of(hosts, List.of(row)).stream()).toList();
  }

  /// All devices of a tenant, by name.
  public static List<DeviceSnapshot> loadAll(Repositories repositories, String tenant) {
    List<DeviceSnapshot> sites = new ArrayList<>();
    Optional<PageRequest> next = Optional.of(PAGE);
    while (next.isPresent()) {
      Page<DeviceRow> page = repositories.devices().list(tenant, Map.of(), next.get());
      sites.addAll(of(repositories.hosts(), page.rows()));
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
    return ofEach(repositories.hosts(), repositories.devices().findAll(tenant, names).values()).stream()
        .sorted(Comparator.comparing(DeviceSnapshot::name))
        .toList();
  }

  public String name() {
    return device.name();
  }

  /// As an expression sees it.
  public SelectableDevice selectable() {
    Map<String, String> versions = new HashMap<>();
    for (HostSoftware host : hosts) {
      host.versions()
          .forEach((packageName, version) ->
              versions.merge(packageName, version, (one, other) -> one.equals(other) ? one : SelectableDevice.MIXED));
    }
    return new SelectableDevice(name(), device.labels(), versions, device.hosts().size(), device.zone().getId());
  }
}
