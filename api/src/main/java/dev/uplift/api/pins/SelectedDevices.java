package dev.uplift.api.pins;

import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.services.Repositories;
import dev.uplift.services.rollout.DeviceSnapshot;
import dev.uplift.services.selection.CompiledSelection;
import dev.uplift.services.selection.Selection;
import dev.uplift.services.selection.SelectionError;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.HostRow;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/// Does something with all devices that an expression selects, a page at a time.
@Singleton
public final class SelectedDevices {
  private static final PageRequest PAGE = PageRequest.first(PageRequest.MAX_LIMIT);

  private final Repositories repositories;

  SelectedDevices(Repositories repositories) {
    this.repositories = repositories;
  }

  /// Adds the mistake of an expression, if there is one.
  public static void check(BodyErrors errors, String selection) {
    if (selection != null && Selection.compile(selection) instanceof CompiledSelection.Invalid(SelectionError error)) {
      errors.add("/selection", error.toString());
    }
  }

  /// Returns how many devices were changed. To be called in a transaction, which is to be rolled back if it throws.
  ///
  /// @param expression that was checked
  /// @param change returns how many of these devices it has changed
  /// @throws ProblemException (422) if it selects all devices, more than one, without a confirmation
  public int change(String tenant, String expression, boolean everything, ToIntFunction<List<String>> change) {
    if (!(Selection.compile(expression) instanceof CompiledSelection.Valid(Selection selection))) {
      throw new IllegalArgumentException(expression);
    }
    int all = 0;
    int selected = 0;
    int changed = 0;
    Optional<PageRequest> next = Optional.of(PAGE);
    while (next.isPresent()) {
      Page<DeviceRow> page = repositories.devices().list(tenant, Map.of(), next.get());
      List<String> names = matching(tenant, selection, page.rows());
      all += page.rows().size();
      selected += names.size();
      changed += names.isEmpty() ? 0 : change.applyAsInt(names);
      next = PAGE.next(page);
    }
    if (selected == all && all > 1 && !everything) {
      throw ProblemException.unprocessable(
          List.of(
              RequestError.atPointer(
                  "/everything", "the selection takes all %d devices; expected true to confirm that".formatted(all))));
    }
    return changed;
  }

  private List<String> matching(String tenant, Selection selection, List<DeviceRow> rows) {
    Map<String, List<HostRow>> hosts =
        selection.usesVersions()
            ? repositories.hosts().findByDevices(tenant, rows.stream().map(DeviceRow::name).toList())
            : Map.of();
    return rows.stream()
        .filter(
            row -> selection.matches(new DeviceSnapshot(row, hosts.getOrDefault(row.name(), List.of())).selectable()))
        .map(DeviceRow::name)
        .toList();
  }
}
