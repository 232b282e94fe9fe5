package dev.uplift.api.filter;

import dev.uplift.api.request.RequestContext;
import dev.uplift.services.rollout.DeviceSnapshot;
import dev.uplift.services.selection.CompiledSelection;
import dev.uplift.services.selection.SelectableDevice;
import dev.uplift.services.selection.Selection;
import dev.uplift.services.selection.SelectionError;
import dev.uplift.store.FilteredPage;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.HostRow;
import dev.uplift.store.rollout.TargetRow;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Lists with only those rows for whose device the expression in `filter` is true.
@Singleton
public final class Filters {
  public static final String PARAMETER = "filter";

  private final DeviceRepository devices;
  private final HostRepository hosts;

  Filters(DeviceRepository devices, HostRepository hosts) {
    this.devices = devices;
    this.hosts = hosts;
  }

  /// Devices.
  ///
  /// @param pages by name
  public Page<DeviceRow> devices(RequestContext requestContext, Function<PageRequest, Page<DeviceRow>> pages) {
    return page(requestContext, pages, DeviceRow::name, this::matching);
  }

  /// Devices of a rollout, without those that have been removed since.
  ///
  /// @param pages by name
  public Page<TargetRow> targets(RequestContext requestContext, Function<PageRequest, Page<TargetRow>> pages) {
    return page(
        requestContext,
        pages,
        TargetRow::device,
        (which, rows) -> {
          Map<String, DeviceRow> known =
              devices.findAll(requestContext.tenant(), rows.stream().map(TargetRow::device).toList());
          Map<String, DeviceRow> chosen = byName(matching(which, List.copyOf(known.values())));
          return rows.stream().filter(row -> chosen.containsKey(row.device())).toList();
        });
  }

  /// Hosts. `versions` are those of the host itself, everything else is its device's, and empty for a host without a
  /// device.
  ///
  /// @param pages by name
  public Page<HostRow> hosts(RequestContext requestContext, Function<PageRequest, Page<HostRow>> pages) {
    return page(
        requestContext,
        pages,
        row -> row.host().value(),
        (which, rows) -> {
          Map<String, DeviceRow> known =
              devices.findAll(requestContext.tenant(), rows.stream().flatMap(row -> row.device().stream()).toList());
          return rows.stream().filter(row -> which.matches(selectable(row, known))).toList();
        });
  }

  private static SelectableDevice selectable(HostRow host, Map<String, DeviceRow> devices) {
    return host.device()
        .flatMap(name -> Optional.ofNullable(devices.get(name)))
        .map(device ->
            new SelectableDevice(
                device.id().name(),
                device.spec().labels(),
                host.versions(),
                device.hosts().size(),
                device.spec().zone().getId()))
        .orElseGet(() -> new SelectableDevice("", Map.of(), host.versions(), 0, ""));
  }

  private List<DeviceRow> matching(Selection which, List<DeviceRow> rows) {
    List<DeviceSnapshot> devices =
        which.usesVersions()
            ? DeviceSnapshot.ofEach(hosts, rows)
            : rows.stream().map(row -> new DeviceSnapshot(row, List.of())).toList();
    return devices.stream().filter(device -> which.matches(device.selectable())).map(DeviceSnapshot::device).toList();
  }

  private static Map<String, DeviceRow> byName(List<DeviceRow> rows) {
    return rows.stream().collect(Collectors.toMap(row -> row.id().name(), Function.identity()));
  }

  private interface RowFilter<R> {
    List<R> filter(Selection which, List<R> rows);
  }

  private static <R> Page<R> page(
      RequestContext requestContext,
      Function<PageRequest, Page<R>> pages,
      Function<R, String> name,
      RowFilter<R> rowFilter) {
    PageRequest wanted = requestContext.pageRequest();
    return selectionOf(requestContext)
        .map(which -> FilteredPage.read(wanted, pages, rows -> rowFilter.filter(which, rows), name))
        .orElseGet(() -> pages.apply(wanted));
  }

  private static Optional<Selection> selectionOf(RequestContext requestContext) {
    return requestContext
        .queryText(PARAMETER)
        .map(text -> {
          if (text.isBlank()) {
            throw RequestContext.invalidParameter(
                PARAMETER, "expected an expression, such as labels.region == 'north'");
          }
          return switch (Selection.compile(text)) {
            case CompiledSelection.Valid(Selection selection) -> selection;
            case CompiledSelection.Invalid(SelectionError error) ->
                throw RequestContext.invalidParameter(PARAMETER, error.toString());
          };
        });
  }
}
