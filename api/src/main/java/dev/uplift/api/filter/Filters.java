package dev.uplift.api.filter;

import dev.uplift.activities.rollout.Site;
import dev.uplift.activities.selection.Compiled;
import dev.uplift.activities.selection.Mistake;
import dev.uplift.activities.selection.Selectable;
import dev.uplift.activities.selection.Selection;
import dev.uplift.api.call.Call;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.Devices;
import dev.uplift.store.HostRow;
import dev.uplift.store.Hosts;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.Sifted;
import dev.uplift.store.TargetRow;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Lists of which only those rows are wanted of whose device the expression in `filter` is true.
/// Without it they are as the tables have them.
@Singleton
public final class Filters {
  public static final String PARAMETER = "filter";

  private final Devices devices;
  private final Hosts hosts;

  Filters(Devices devices, Hosts hosts) {
    this.devices = devices;
    this.hosts = hosts;
  }

  /// Devices.
  ///
  /// @param pages by name
  public Page<DeviceRow> devices(Call call, Function<PageRequest, Page<DeviceRow>> pages) {
    return page(
        call, pages, row -> row.id().name(), (which, rows) -> chosen(call.tenant(), which, rows));
  }

  /// The devices of a rollout. One that has been removed since is not found.
  ///
  /// @param pages by name
  public Page<TargetRow> targets(Call call, Function<PageRequest, Page<TargetRow>> pages) {
    return page(
        call,
        pages,
        TargetRow::device,
        (which, rows) -> {
          Map<String, DeviceRow> known =
              devices.all(call.tenant(), rows.stream().map(TargetRow::device).toList());
          Map<String, DeviceRow> chosen =
              byName(chosen(call.tenant(), which, List.copyOf(known.values())));
          return rows.stream().filter(row -> chosen.containsKey(row.device())).toList();
        });
  }

  /// Hosts: `versions` are those of the host itself, all else is its device's; of one that is on
  /// none it is empty.
  ///
  /// @param pages by name
  public Page<HostRow> hosts(Call call, Function<PageRequest, Page<HostRow>> pages) {
    return page(
        call,
        pages,
        row -> row.host().value(),
        (which, rows) -> {
          Map<String, DeviceRow> known =
              devices.all(
                  call.tenant(), rows.stream().flatMap(row -> row.device().stream()).toList());
          return rows.stream().filter(row -> which.matches(selectable(row, known))).toList();
        });
  }

  private static Selectable selectable(HostRow host, Map<String, DeviceRow> devices) {
    return host.device()
        .flatMap(name -> Optional.ofNullable(devices.get(name)))
        .map(device ->
            new Selectable(
                device.id().name(),
                device.spec().labels(),
                host.versions(),
                device.hosts().size(),
                device.spec().zone().getId()))
        .orElseGet(() -> new Selectable("", Map.of(), host.versions(), 0, ""));
  }

  private List<DeviceRow> chosen(String tenant, Selection which, List<DeviceRow> rows) {
    Map<String, List<HostRow>> on =
        which.asksForVersions()
            ? hosts.of(tenant, rows.stream().map(row -> row.id().name()).toList())
            : Map.of();
    return rows.stream()
        .filter(row -> {
          var site = new Site(row, on.getOrDefault(row.id().name(), List.of()));
          return which.matches(site.selectable());
        })
        .toList();
  }

  private static Map<String, DeviceRow> byName(List<DeviceRow> rows) {
    return rows.stream().collect(Collectors.toMap(row -> row.id().name(), Function.identity()));
  }

  private interface Sieve<R> {
    List<R> sift(Selection which, List<R> rows);
  }

  private static <R> Page<R> page(
      Call call, Function<PageRequest, Page<R>> pages, Function<R, String> name, Sieve<R> sieve) {
    PageRequest wanted = call.page();
    return of(call)
        .map(which -> Sifted.page(wanted, pages, rows -> sieve.sift(which, rows), name))
        .orElseGet(() -> pages.apply(wanted));
  }

  private static Optional<Selection> of(Call call) {
    return call.text(PARAMETER)
        .map(text -> {
          if (text.isBlank()) {
            throw Call.wrong(PARAMETER, "expected an expression, such as labels.region == 'north'");
          }
          return switch (Selection.compile(text)) {
            case Compiled.Right(Selection selection) -> selection;
            case Compiled.Wrong(Mistake mistake) -> throw Call.wrong(PARAMETER, mistake.toString());
          };
        });
  }
}
