package dev.uplift.api.osupgrade;

import dev.uplift.activities.temporal.PolicySignals;
import dev.uplift.api.json.MergePatch;
import dev.uplift.api.json.RequestBinder;
import dev.uplift.api.json.RequestBodyReader;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.Etag;
import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.window.Window;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.policy.PolicyRepository;
import dev.uplift.store.policy.PolicyRow;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Put;
import io.micronaut.security.annotation.Secured;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Optional;

/// The configuration of the OS upgrade of a tenant.
@RequiresApiRole
@Controller("/v1/config/tenants/{tenant}/os-upgrade")
@Secured(Roles.VIEWER)
final class OsUpgradeController {
  private static final String TARGET = "policy/" + OsUpgradeConfig.NAME;

  private final PolicyRepository policies;
  private final AuditedTransaction transaction;
  private final KnownTenants tenants;
  private final RequestBinder binder;
  private final PolicySignals signals;

  OsUpgradeController(
      PolicyRepository policies,
      AuditedTransaction transaction,
      KnownTenants tenants,
      RequestBinder binder,
      PolicySignals signals) {
    this.policies = policies;
    this.transaction = transaction;
    this.tenants = tenants;
    this.binder = binder;
    this.signals = signals;
  }

  /// Shows the OS upgrade of a tenant.
  ///
  /// A view on the policy `os-upgrade`.
  @Get
  @QueryParameters({RequestedFields.PARAMETER, "validate"})
  @ResponseStatuses({304, 412})
  HttpResponse<OsUpgradeView> getOsUpgrade(RequestContext requestContext) {
    RequestedFields fields = RequestedFields.of(requestContext, OsUpgradeView.FIELDS);
    Precondition precondition = Etag.ifMatch(requestContext);
    PolicyRow row = OsUpgradeConfig.find(policies, requestContext.tenant());
    requireVersion(precondition, Optional.of(row));
    return Etag.isNotModified(requestContext, row.version())
        ? HttpResponse.notModified()
        : HttpResponse.ok(view(row, fields)).header(HttpHeaders.ETAG, Etag.of(row.version()));
  }

  /// Creates the OS upgrade of a tenant, or replaces it.
  ///
  /// The policy `os-upgrade` gets this package and these windows, and is enabled. A new one brings what the channel
  /// `stable` of the package points at.
  @Put
  @Secured(Roles.OPERATOR)
  @ResponseStatuses({201, 204, 412})
  HttpResponse<OsUpgradeView> putOsUpgrade(RequestContext requestContext, @Body OsUpgradeRequest request) {
    tenants.requireExists(requestContext.tenant());
    Precondition precondition = Etag.precondition(requestContext);
    Saved saved =
        transaction.run(
            requestContext,
            () -> {
              Optional<PolicyRow> before = requireVersion(precondition, lock(requestContext));
              return save(
                  requestContext,
                  before,
                  "os-upgrade.put",
                  request.packageName(),
                  request.windows(),
                  request.json().toString());
            });
    return respond(requestContext, saved);
  }

  /// Changes a part of the OS upgrade of a tenant.
  ///
  /// Each field that is named replaces the earlier value.
  @Patch
  @Consumes({RequestBodyReader.MERGE_PATCH, MediaType.APPLICATION_JSON})
  @Secured(Roles.OPERATOR)
  @ResponseStatuses({204, 412})
  HttpResponse<OsUpgradeView> patchOsUpgrade(
      RequestContext requestContext, @Body @Schema(implementation = OsUpgradeRequest.class) MergePatch patch) {
    Precondition precondition = Etag.precondition(requestContext);
    Saved saved =
        transaction.run(
            requestContext,
            () -> {
              Optional<PolicyRow> before = requireVersion(precondition, lock(requestContext));
              PolicyRow row = before.orElseThrow(() -> OsUpgradeConfig.notFound(requestContext.tenant()));
              List<Window> windows = OsUpgradeConfig.windows(row);
              OsUpgradeRequest request =
                  binder.bind(
                      OsUpgradeRequest.class, patch.applyTo(OsUpgradeRequest.toJson(row.packageName(), windows)));
              // Windows may have blackout dates, which are not shown here.
              boolean isWindowsPatched = patch.json().has("maintenance-windows");
              return save(
                  requestContext,
                  before,
                  "os-upgrade.patch",
                  request.packageName(),
                  isWindowsPatched ? request.windows() : windows,
                  patch.json().toString());
            });
    return respond(requestContext, saved);
  }

  /// Deletes the OS upgrade of a tenant.
  ///
  /// And with it the policy `os-upgrade`. What it has begun on devices ends; nothing more is begun.
  @Delete
  @Secured(Roles.OPERATOR)
  @ResponseStatuses({204, 412})
  HttpResponse<?> deleteOsUpgrade(RequestContext requestContext) {
    Precondition precondition = Etag.precondition(requestContext);
    PolicyRow row =
        transaction.run(
            requestContext,
            () -> {
              Optional<PolicyRow> before = requireVersion(precondition, lock(requestContext));
              PolicyRow found = before.orElseThrow(() -> OsUpgradeConfig.notFound(requestContext.tenant()));
              PolicyRow disabled = policies.setEnabled(found.id(), false, requestContext.caller().name());
              policies.remove(found.id());
              transaction.recordAudit(requestContext, "os-upgrade.delete", TARGET, "");
              return disabled;
            });
    notifyUnlessValidated(requestContext, row);
    return HttpResponse.noContent();
  }

  private Optional<PolicyRow> lock(RequestContext requestContext) {
    return policies.lock(OsUpgradeConfig.id(requestContext.tenant()));
  }

  /// A policy as it was written.
  private record Saved(PolicyRow row, boolean isNew) {}

  private Saved save(
      RequestContext requestContext,
      Optional<PolicyRow> before,
      String action,
      String packageName,
      List<Window> windows,
      String detail) {
    String caller = requestContext.caller().name();
    PolicyId id = OsUpgradeConfig.id(requestContext.tenant());
    PolicyRow written =
        policies.put(OsUpgradeConfig.apply(requestContext.tenant(), before, packageName, windows), caller);
    PolicyRow row = written.enabled() ? written : policies.setEnabled(id, true, caller);
    if (!before.equals(Optional.of(row))) {
      transaction.recordAudit(requestContext, action, TARGET, detail);
    }
    return new Saved(row, before.isEmpty());
  }

  private HttpResponse<OsUpgradeView> respond(RequestContext requestContext, Saved saved) {
    notifyUnlessValidated(requestContext, saved.row());
    String tag = Etag.of(saved.row().version());
    RequestedFields all = RequestedFields.of(requestContext, OsUpgradeView.FIELDS);
    return saved.isNew()
        ? HttpResponse.created(view(saved.row(), all)).header(HttpHeaders.ETAG, tag)
        : HttpResponse.<OsUpgradeView>noContent().header(HttpHeaders.ETAG, tag);
  }

  /// Has its workflow begin what is due, or stop what it began.
  private void notifyUnlessValidated(RequestContext requestContext, PolicyRow row) {
    if (!requestContext.isValidateOnly()) {
      signals.recheck(row);
    }
  }

  private static OsUpgradeView view(PolicyRow row, RequestedFields fields) {
    return OsUpgradeView.of(row.packageName(), OsUpgradeConfig.windows(row), fields);
  }

  private static Optional<PolicyRow> requireVersion(Precondition precondition, Optional<PolicyRow> before) {
    return Etag.requireVersion(precondition, "the OS upgrade", before, PolicyRow::version);
  }
}
