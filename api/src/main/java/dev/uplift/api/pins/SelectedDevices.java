package dev.uplift.api.pins;

import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.RequestBody;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.services.Repositories;
import dev.uplift.services.rollout.DeviceSnapshot;
import dev.uplift.services.selection.CompiledSelection;
import dev.uplift.services.selection.Selection;
import dev.uplift.services.selection.SelectionError;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.device.DeviceRow;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import tools.jackson.databind.node.ObjectNode;

/// Changes all devices that an expression selects, a page at a time.
@Singleton
public final class SelectedDevices {
  private static final PageRequest PAGE = PageRequest.first(PageRequest.MAX_LIMIT);

  private final Repositories repositories;
  private final AuditedTransaction transaction;
  private final KnownTenants tenants;

  SelectedDevices(Repositories repositories, AuditedTransaction transaction, KnownTenants tenants) {
    this.repositories = repositories;
    this.transaction = transaction;
    this.tenants = tenants;
  }

  /// What is to be changed on all devices that an expression selects now.
  public interface Change extends RequestBody {
    /// An expression, as in rollouts.
    String selection();

    /// Whether it is confirmed that this may be all devices of the tenant.
    boolean everything();

    /// As it was sent, to be recorded in the audit.
    ObjectNode json();

    @Override
    default void check(BodyErrors errors, Instant now) {
      if (selection() != null
          && Selection.compile(selection()) instanceof CompiledSelection.Invalid(SelectionError error)) {
        errors.add("/selection", error.toString());
      }
    }
  }

  /// Changes all of them or none, and records it in the audit. Returns how many things were changed.
  ///
  /// @param action for the audit
  /// @param counted name of their number there
  /// @param apply returns how many things it has changed on these devices
  /// @throws ProblemException (404) if there is no such tenant; (422) if all devices are selected, more than one,
  ///   without a confirmation
  public int change(
      RequestContext requestContext, Change change, String action, String counted, ToIntFunction<List<String>> apply) {
    String tenant = requestContext.tenant();
    tenants.requireExists(tenant);
    return transaction.run(
        requestContext,
        () -> {
          int changed = change(tenant, change.selection(), change.everything(), apply);
          transaction.recordAudit(
              requestContext, action, "tenant/" + tenant, change.json().put(counted, changed).toString());
          return changed;
        });
  }

  private int change(String tenant, String expression, boolean everything, ToIntFunction<List<String>> apply) {
    if (!(Selection.compile(expression) instanceof CompiledSelection.Valid(Selection selection))) {
      throw new IllegalArgumentException(expression);
    }
    int all = 0;
    int selected = 0;
    int changed = 0;
    Optional<PageRequest> next = Optional.of(PAGE);
    while (next.isPresent()) {
      Page<DeviceRow> page = repositories.devices().list(tenant, Map.of(), next.get());
      List<String> names = matching(selection, page.rows());
      all += page.rows().size();
      selected += names.size();
      changed += names.isEmpty() ? 0 : apply.applyAsInt(names);
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

  private List<String> matching(Selection selection, List<DeviceRow> rows) {
    List<DeviceSnapshot> devices =
        selection.usesVersions()
            ? DeviceSnapshot.of(repositories.hosts(), rows)
            : rows.stream().map(row -> new DeviceSnapshot(row, List.of())).toList();
    return devices.stream().filter(device -> selection.matches(device.selectable())).map(DeviceSnapshot::name).toList();
  }
}
