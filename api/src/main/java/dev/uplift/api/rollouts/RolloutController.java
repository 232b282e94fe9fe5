package dev.uplift.api.rollouts;

import dev.uplift.api.json.MergePatch;
import dev.uplift.api.json.RequestBinder;
import dev.uplift.api.json.RequestBodyReader;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.Etag;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.StepTimeouts;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.rollout.RolloutFilter;
import dev.uplift.store.rollout.RolloutRepository;
import dev.uplift.store.rollout.RolloutRow;
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
import io.micronaut.security.annotation.Secured;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.net.URI;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Checks, creates and shows rollouts, and changes drafts.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/rollouts")
@Secured(Roles.VIEWER)
final class RolloutController {
  private final RolloutService service;
  private final RolloutRepository rollouts;
  private final RolloutViews views;
  private final AuditedTransaction transaction;
  private final KnownTenants tenants;
  private final RequestBinder binder;

  RolloutController(
      RolloutService service,
      RolloutRepository rollouts,
      RolloutViews views,
      AuditedTransaction transaction,
      KnownTenants tenants,
      RequestBinder binder) {
    this.service = service;
    this.rollouts = rollouts;
    this.views = views;
    this.transaction = transaction;
    this.tenants = tenants;
    this.binder = binder;
  }

  /// Creates a rollout and starts it.
  ///
  /// Its devices are those that the selection matches now. A draft does nothing yet, and one with `start_at` waits. The
  /// same key again, for the same plan, is the same rollout. With `?validate=true` the response is a preview: the
  /// devices of each wave, and those that are excluded.
  @Post
  @Secured(Roles.OPERATOR)
  @Parameter(name = "Idempotency-Key", in = ParameterIn.HEADER)
  @ApiResponse(
      responseCode = "200",
      description = "It was created before, as it is now; with `?validate=true` its preview.",
      content = @Content(schema = @Schema(anyOf = {RolloutView.class, RolloutPreviewView.class})))
  @ApiResponse(
      responseCode = "201",
      description = "It was created.",
      content = @Content(schema = @Schema(implementation = RolloutView.class)),
      headers = {
        @Header(name = "ETag", ref = "#/components/headers/ETag"),
        @Header(name = "Location", ref = "#/components/headers/Location")
      })
  @ResponseStatuses({200, 201, 409, 422})
  HttpResponse<?> createRollout(RequestContext requestContext, @Body RolloutRequest request) {
    tenants.requireExists(requestContext.tenant());
    RolloutId id = RolloutIdChooser.fromKeyOrNew(requestContext, request.packageName());
    if (requestContext.isValidateOnly()) {
      RolloutSpec spec = request.spec();
      StepTimeouts stepTimeouts = service.admitStepTimeouts(id.tenant(), spec);
      return HttpResponse.ok(
          RolloutPreviewView.of(id.name(), service.preview(id, spec, request.createsDraft()), spec, stepTimeouts));
    }
    RolloutService.CreatedRollout createdRollout =
        service.create(requestContext, id, request.spec(), request.createsDraft());
    URI place = URI.create("/v1/tenants/%s/rollouts/%s".formatted(requestContext.tenant(), id.name()));
    return createdRollout.isNew()
        ? HttpResponse.created(views.full(createdRollout.row()), place)
            .header(HttpHeaders.ETAG, Etag.of(createdRollout.row().revision()))
        : respond(createdRollout.row()).headers(headers -> headers.location(place));
  }

  /// Lists rollouts, newest first.
  ///
  /// Without plan, counts and waves.
  @Get
  @QueryParameters({"state", "package", "version", "cursor", "limit"})
  PageResponse<RolloutView> listRollouts(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    RolloutFilter filter =
        new RolloutFilter(
            requestContext.queryEnum("state", RolloutState.values()),
            requestContext.queryName("package", NameRule.PACKAGE),
            requestContext.queryName("version", NameRule.VERSION));
    return PageResponse.of(
        rollouts.list(requestContext.tenant(), filter, requestContext.pageRequest()), views::summary);
  }

  /// Shows a rollout.
  ///
  /// Plan, counts, waves, current wait, and the last decision.
  @Get("/{rollout}")
  HttpResponse<RolloutView> getRollout(RequestContext requestContext, RolloutId id) {
    return respond(service.find(id));
  }

  /// Changes a draft.
  ///
  /// Each field that is named replaces the earlier value; `null` restores the default.
  @Patch("/{rollout}")
  @Consumes({RequestBodyReader.MERGE_PATCH, MediaType.APPLICATION_JSON})
  @Secured(Roles.OPERATOR)
  @ResponseStatuses({409, 412, 422})
  HttpResponse<RolloutView> patchRollout(
      RequestContext requestContext,
      RolloutId id,
      @Body @Schema(implementation = RolloutRequest.class) MergePatch patch) {
    Precondition precondition = Etag.precondition(requestContext);
    return transaction.run(
        requestContext,
        () -> {
          RolloutRow draft = requireRevision(precondition, service.lockDraft(id));
          refuseDraftField(patch);
          ObjectNode whole = RolloutRequest.of(RolloutJson.readSpec(draft.plan())).toJson();
          RolloutRequest patched = binder.bind(RolloutRequest.class, patch.applyTo(whole));
          return respond(service.updateDraft(requestContext, draft, patched.spec()));
        });
  }

  /// Deletes a draft.
  @Delete("/{rollout}")
  @Secured(Roles.OPERATOR)
  @ResponseStatuses({204, 409, 412})
  HttpResponse<?> deleteRollout(RequestContext requestContext, RolloutId id) {
    Precondition precondition = Etag.precondition(requestContext);
    return transaction.run(
        requestContext,
        () -> {
          requireRevision(precondition, service.lockDraft(id));
          if (!rollouts.deleteDraft(id)) {
            throw ProblemException.conflict("it is no longer a draft; read it again");
          }
          transaction.recordAudit(requestContext, "rollout.delete", "rollout/" + id.name(), "");
          return HttpResponse.noContent();
        });
  }

  /// A draft stays one until a person starts it.
  private static void refuseDraftField(MergePatch patch) {
    if (patch.json().has("draft")) {
      throw ProblemException.badRequest(
          RequestError.atPointer("/draft", "is not changed by PATCH; expected POST .../start, or DELETE"));
    }
  }

  static RolloutRow requireRevision(Precondition precondition, RolloutRow row) {
    return Etag.requireVersion(precondition, "the rollout", Optional.of(row), RolloutRow::revision).orElseThrow();
  }

  private MutableHttpResponse<RolloutView> respond(RolloutRow row) {
    return HttpResponse.ok(views.full(row)).header(HttpHeaders.ETAG, Etag.of(row.revision()));
  }
}
