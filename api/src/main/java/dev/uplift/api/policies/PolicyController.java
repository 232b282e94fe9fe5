package dev.uplift.api.policies;

import dev.uplift.activities.temporal.PolicySignals;
import dev.uplift.api.json.MergePatch;
import dev.uplift.api.json.RequestBinder;
import dev.uplift.api.json.RequestBodyReader;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.Etag;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.policy.PolicyRepository;
import dev.uplift.store.policy.PolicyRow;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.security.annotation.Secured;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.util.Optional;
import java.util.function.Supplier;

/// Creates, changes, enables and shows policies.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/policies")
@Secured(Roles.VIEWER)
final class PolicyController {
  private final PolicyRepository policies;
  private final PolicyService service;
  private final AuditedTransaction transaction;
  private final KnownTenants tenants;
  private final RequestBinder binder;
  private final PolicySignals signals;

  PolicyController(
      PolicyRepository policies,
      PolicyService service,
      AuditedTransaction transaction,
      KnownTenants tenants,
      RequestBinder binder,
      PolicySignals signals) {
    this.policies = policies;
    this.service = service;
    this.transaction = transaction;
    this.tenants = tenants;
    this.binder = binder;
    this.signals = signals;
  }

  /// Lists policies, by name.
  @Get
  @QueryParameters({"cursor", "limit"})
  PageResponse<PolicyView> listPolicies(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    return PageResponse.of(policies.list(requestContext.tenant(), requestContext.pageRequest()), PolicyView::of);
  }

  /// Shows a policy.
  @Get("/{policy}")
  @ResponseStatuses(304)
  HttpResponse<PolicyView> getPolicy(RequestContext requestContext, PolicyId id) {
    PolicyRow row = service.find(id);
    return Etag.isNotModified(requestContext, row.version()) ? HttpResponse.notModified() : respond(row);
  }

  /// Creates a policy, or replaces it.
  ///
  /// A new one is disabled: it begins nothing until it is enabled. One that is enabled stays so. With `?validate=true`
  /// the response is a preview: what it would do if it were enabled now.
  @Put("/{policy}")
  @Secured(Roles.OPERATOR)
  @ApiResponse(
      responseCode = "200",
      description = "It was there before; as it is now; with `?validate=true` a preview.",
      content = @Content(schema = @Schema(anyOf = {PolicyView.class, PolicyPreviewView.class})))
  @ResponseStatuses({200, 201, 412, 422})
  HttpResponse<?> putPolicy(RequestContext requestContext, PolicyId id, @Body PolicyRequest request) {
    tenants.requireExists(requestContext.tenant());
    Precondition precondition = Etag.precondition(requestContext);
    service.requireConfirmed(id, request.spec());
    if (requestContext.isValidateOnly()) {
      Optional<PolicyRow> _ = requireVersion(precondition, policies.find(id));
      return HttpResponse.ok(service.previewChanged(id, request));
    }
    return save(
        requestContext,
        () -> {
          Optional<PolicyRow> before = requireVersion(precondition, policies.lock(id));
          PolicyRow row = put(requestContext, before, request, id);
          return new Saved(row, before.isEmpty());
        });
  }

  /// Changes a part of a policy.
  ///
  /// Each field that is named replaces the earlier value; `null` restores the default. With `?validate=true` the
  /// response is a preview: what it would do if it were enabled now.
  @Patch("/{policy}")
  @Consumes({RequestBodyReader.MERGE_PATCH, MediaType.APPLICATION_JSON})
  @Secured(Roles.OPERATOR)
  @ApiResponse(
      responseCode = "200",
      description = "As it is now; with `?validate=true` a preview.",
      content = @Content(schema = @Schema(anyOf = {PolicyView.class, PolicyPreviewView.class})))
  @ResponseStatuses({200, 412, 422})
  HttpResponse<?> patchPolicy(
      RequestContext requestContext,
      PolicyId id,
      @Body @Schema(implementation = PolicyRequest.class) MergePatch patch) {
    Precondition precondition = Etag.precondition(requestContext);
    PolicyRow stored = service.find(id);
    PolicyRequest looked = patched(stored, patch);
    service.requireConfirmed(id, looked.spec());
    if (requestContext.isValidateOnly()) {
      Optional<PolicyRow> _ = requireVersion(precondition, Optional.of(stored));
      return HttpResponse.ok(service.previewChanged(id, looked));
    }
    return save(
        requestContext,
        () -> {
          Optional<PolicyRow> before = requireVersion(precondition, policies.lock(id));
          PolicyRequest request = patched(before.orElseGet(() -> service.find(id)), patch);
          return new Saved(put(requestContext, before, request, id), false);
        });
  }

  private PolicyRequest patched(PolicyRow row, MergePatch patch) {
    return binder.bind(PolicyRequest.class, patch.applyTo(PolicyRequest.of(row).toJson()));
  }

  private PolicyRow put(RequestContext requestContext, Optional<PolicyRow> before, PolicyRequest request, PolicyId id) {
    PolicyRow row = policies.put(request.policy(id), requestContext.caller().name());
    if (!before.equals(Optional.of(row))) {
      transaction.recordAudit(requestContext, "policy.put", target(id), request.toJson().toString());
    }
    return row;
  }

  /// Deletes a policy.
  ///
  /// What it has begun on devices ends; nothing more is begun.
  @Delete("/{policy}")
  @Secured(Roles.OPERATOR)
  @ResponseStatuses({204, 412})
  HttpResponse<?> deletePolicy(RequestContext requestContext, PolicyId id) {
    Precondition precondition = Etag.precondition(requestContext);
    PolicyRow row =
        transaction.run(
            requestContext,
            () -> {
              Optional<PolicyRow> before = requireVersion(precondition, policies.lock(id));
              PolicyRow found = before.orElseGet(() -> service.find(id));
              policies.remove(id);
              transaction.recordAudit(requestContext, "policy.delete", target(id), "");
              return found;
            });
    notifyUnlessValidated(requestContext, row);
    return HttpResponse.noContent();
  }

  /// Enables a policy.
  ///
  /// It begins what is due now. Enabling one that is enabled makes it the one that was enabled last, and lets it go on
  /// after one of its rollouts was aborted. One that has come to select all devices needs `everything` by now. With
  /// `?validate=true` the response is a preview: what it would do now.
  @Post("/{policy}/enable")
  @Secured(Roles.OPERATOR)
  @ApiResponse(
      responseCode = "200",
      description = "As it is now; with `?validate=true` a preview.",
      content = @Content(schema = @Schema(anyOf = {PolicyView.class, PolicyPreviewView.class})))
  @ResponseStatuses({200, 412, 422})
  HttpResponse<?> enablePolicy(RequestContext requestContext, PolicyId id) {
    PolicyRow stored = service.find(id);
    PolicyRequest request = PolicyRequest.of(stored);
    Optional<PolicyRow> _ = requireVersion(Etag.precondition(requestContext), Optional.of(stored));
    service.requireConfirmed(id, request.spec());
    return requestContext.isValidateOnly()
        ? HttpResponse.ok(service.previewEnabled(id, request))
        : setEnabled(requestContext, id, true, "policy.enable");
  }

  /// Disables a policy.
  ///
  /// What it has begun on devices ends; nothing more is begun.
  @Post("/{policy}/disable")
  @Secured(Roles.OPERATOR)
  @ResponseStatuses(412)
  HttpResponse<PolicyView> disablePolicy(RequestContext requestContext, PolicyId id) {
    return setEnabled(requestContext, id, false, "policy.disable");
  }

  private HttpResponse<PolicyView> setEnabled(
      RequestContext requestContext, PolicyId id, boolean enabled, String action) {
    Precondition precondition = Etag.precondition(requestContext);
    return save(
        requestContext,
        () -> {
          Optional<PolicyRow> before = requireVersion(precondition, policies.lock(id));
          PolicyRow found = before.orElseGet(() -> service.find(id));
          if (!enabled && !found.enabled()) {
            return new Saved(found, false);
          }
          PolicyRow row = policies.setEnabled(id, enabled, requestContext.caller().name());
          transaction.recordAudit(requestContext, action, target(id), "");
          return new Saved(row, false);
        });
  }

  /// Shows how a policy stands.
  ///
  /// Looks at all devices, which takes seconds for a hundred thousand.
  @Get("/{policy}/status")
  PolicyStatusView getPolicyStatus(RequestContext requestContext, PolicyId id) {
    return service.status(service.find(id));
  }

  /// A policy as it was written.
  private record Saved(PolicyRow row, boolean isNew) {}

  private HttpResponse<PolicyView> save(RequestContext requestContext, Supplier<Saved> work) {
    Saved saved = transaction.run(requestContext, work);
    notifyUnlessValidated(requestContext, saved.row());
    return saved.isNew()
        ? HttpResponse.created(PolicyView.of(saved.row())).header(HttpHeaders.ETAG, Etag.of(saved.row().version()))
        : respond(saved.row());
  }

  private void notifyUnlessValidated(RequestContext requestContext, PolicyRow row) {
    if (!requestContext.isValidateOnly()) {
      signals.recheck(row);
    }
  }

  private static Optional<PolicyRow> requireVersion(Precondition precondition, Optional<PolicyRow> before) {
    return Etag.requireVersion(precondition, "the policy", before, PolicyRow::version);
  }

  private static MutableHttpResponse<PolicyView> respond(PolicyRow row) {
    return HttpResponse.ok(PolicyView.of(row)).header(HttpHeaders.ETAG, Etag.of(row.version()));
  }

  private static String target(PolicyId id) {
    return "policy/" + id.name();
  }
}
