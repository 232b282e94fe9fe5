package dev.uplift.api.windows;

import dev.uplift.api.notify.WaitNotifier;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.Etag;
import dev.uplift.api.request.LabelRules;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.services.window.WindowJson;
import dev.uplift.store.device.LabelWindowRepository;
import dev.uplift.store.device.LabelWindowRow;
import dev.uplift.store.device.Precondition;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Put;
import io.micronaut.security.annotation.Secured;
import java.util.Optional;

/// Maintenance windows of all devices, present and future, with a value of a label.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/label-windows")
@Secured(Roles.VIEWER)
final class LabelWindowController {
  private final LabelWindowRepository windows;
  private final AuditedTransaction transaction;
  private final KnownTenants tenants;
  private final WaitNotifier waitNotifier;

  LabelWindowController(
      LabelWindowRepository windows, AuditedTransaction transaction, KnownTenants tenants, WaitNotifier waitNotifier) {
    this.windows = windows;
    this.transaction = transaction;
    this.tenants = tenants;
    this.waitNotifier = waitNotifier;
  }

  /// Lists the maintenance windows of labels.
  ///
  /// All of them, by label and value.
  @Get
  PageResponse<LabelWindowView> listLabelWindows(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    return new PageResponse<>(
        windows.list(requestContext.tenant()).stream().map(LabelWindowView::of).toList(), Optional.empty());
  }

  /// Shows the maintenance windows of a label.
  @Get("/{label}/{value}")
  @ResponseStatuses(304)
  HttpResponse<LabelWindowView> getLabelWindows(RequestContext requestContext, String label, String value) {
    return found(requestContext, label, value)
        .map(row ->
            Etag.isNotModified(requestContext, row.version())
                ? HttpResponse.<LabelWindowView>notModified()
                : respond(row))
        .orElseThrow(() -> notFound(label, value));
  }

  /// Sets the maintenance windows of all devices with a label.
  ///
  /// They hold for devices that get the label later, too. A device is open when its own windows and those of each of
  /// its labels are.
  @Put("/{label}/{value}")
  @Secured(Roles.ADMIN)
  @ResponseStatuses({200, 201, 412})
  HttpResponse<LabelWindowView> putLabelWindows(
      RequestContext requestContext, String label, String value, @Body PutLabelWindowsRequest request) {
    tenants.requireExists(requestContext.tenant());
    LabelRules.requireValidPath(label, value);
    Precondition precondition = Etag.precondition(requestContext);
    String text = WindowJson.write(WindowView.windows(request.windows()));
    var put =
        transaction.run(
            requestContext,
            () -> {
              Optional<LabelWindowRow> before = requireVersion(requestContext, label, value, precondition);
              LabelWindowRow row =
                  windows.put(requestContext.tenant(), label, value, text, requestContext.caller().name());
              if (!before.equals(Optional.of(row))) {
                transaction.recordAudit(
                    requestContext, "label-windows.put", target(label, value), request.json().toString());
              }
              return before.isPresent()
                  ? respond(row)
                  : HttpResponse.created(LabelWindowView.of(row)).header(HttpHeaders.ETAG, Etag.of(row.version()));
            });
    waitNotifier.notifyTenant(requestContext.tenant());
    return put;
  }

  /// Deletes the maintenance windows of a label.
  @Delete("/{label}/{value}")
  @Secured(Roles.ADMIN)
  @ResponseStatuses({204, 412})
  HttpResponse<?> deleteLabelWindows(RequestContext requestContext, String label, String value) {
    Precondition precondition = Etag.precondition(requestContext);
    var deleted =
        transaction.run(
            requestContext,
            () -> {
              if (requireVersion(requestContext, label, value, precondition).isEmpty()) {
                throw notFound(label, value);
              }
              windows.remove(requestContext.tenant(), label, value);
              transaction.recordAudit(requestContext, "label-windows.delete", target(label, value), "");
              return HttpResponse.noContent();
            });
    waitNotifier.notifyTenant(requestContext.tenant());
    return deleted;
  }

  private Optional<LabelWindowRow> requireVersion(
      RequestContext requestContext, String label, String value, Precondition precondition) {
    return Etag.requireVersion(
        precondition, "the label's list of windows", found(requestContext, label, value), LabelWindowRow::version);
  }

  private Optional<LabelWindowRow> found(RequestContext requestContext, String label, String value) {
    return windows.find(requestContext.tenant(), label, value);
  }

  private static HttpResponse<LabelWindowView> respond(LabelWindowRow row) {
    return HttpResponse.ok(LabelWindowView.of(row)).header(HttpHeaders.ETAG, Etag.of(row.version()));
  }

  private static ProblemException notFound(String label, String value) {
    return ProblemException.notFound("the label %s=%s has no windows".formatted(label, value));
  }

  private static String target(String label, String value) {
    return "label/%s=%s".formatted(label, value);
  }
}
