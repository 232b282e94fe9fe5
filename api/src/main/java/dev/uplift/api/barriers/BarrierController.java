package dev.uplift.api.barriers;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.request.IdempotencyKey;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.barrier.BarrierAction;
import dev.uplift.fleet.barrier.BarrierHostState;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.fleet.barrier.BarrierState;
import dev.uplift.services.barrier.BarrierRepositories;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.net.URI;
import java.util.List;
import java.util.SortedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Starts barriers, shows them, and says when their migration is done.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/barriers")
@Secured(Roles.VIEWER)
final class BarrierController {
  private static final String KEY = "Idempotency-Key";
  private static final int MAX_SAMPLE = 10;

  private final BarrierService service;
  private final BarrierRepositories tables;
  private final KnownTenants tenants;

  BarrierController(BarrierService service, BarrierRepositories tables, KnownTenants tenants) {
    this.service = service;
    this.tables = tables;
    this.tenants = tenants;
  }

  /// Starts a barrier.
  ///
  /// Its hosts are those of the devices that the selection matches now; they are told to halt at once. The key is its
  /// name: the same key again, for the same barrier, is the same barrier. With `?validate=true` the response is a
  /// preview: how many devices and hosts would halt.
  @Post
  @Secured(Roles.OPERATOR)
  @Parameter(name = KEY, in = ParameterIn.HEADER)
  @ApiResponse(
      responseCode = "200",
      description = "It was started before, as it is now; with `?validate=true` its preview.",
      content = @Content(schema = @Schema(anyOf = {BarrierView.class, BarrierPreviewView.class})))
  @ApiResponse(
      responseCode = "201",
      description = "It was started.",
      content = @Content(schema = @Schema(implementation = BarrierView.class)),
      headers = @Header(name = "Location", ref = "#/components/headers/Location"))
  @ResponseStatuses({200, 201, 409, 422})
  HttpResponse<?> startBarrier(RequestContext requestContext, @Body StartBarrierRequest request) {
    tenants.requireExists(requestContext.tenant());
    BarrierId id = idFromKeyOrNew(requestContext);
    if (requestContext.isValidateOnly()) {
      return HttpResponse.ok(preview(service.preview(requestContext, id, request.spec())));
    }
    BarrierService.StartedBarrier started = service.start(requestContext, id, request.spec());
    URI place = URI.create("/v1/tenants/%s/barriers/%s".formatted(id.tenant(), id.name()));
    BarrierView view = service.view(started.row());
    return started.isNew()
        ? HttpResponse.created(view, place)
        : HttpResponse.ok(view).headers(headers -> headers.location(place));
  }

  private static BarrierId idFromKeyOrNew(RequestContext requestContext) {
    String chosen = requestContext.headers().get(KEY);
    if (chosen == null) {
      return new BarrierId(requestContext.tenant(), "barrier-" + UUID.randomUUID().toString().substring(0, 8));
    }
    if (!NameRule.BARRIER.isValid(chosen)) {
      throw ProblemException.badRequest(RequestError.header(KEY, "expected " + NameRule.BARRIER.pattern()));
    }
    return new BarrierId(requestContext.tenant(), chosen);
  }

  private static BarrierPreviewView preview(SortedMap<String, List<HostId>> hosts) {
    return new BarrierPreviewView(
        hosts.size(),
        hosts.values().stream().mapToInt(List::size).sum(),
        hosts.keySet().stream().limit(MAX_SAMPLE).toList());
  }

  /// Lists barriers, newest first.
  ///
  /// Without counts and hosts.
  @Get
  @QueryParameters({"state", "cursor", "limit"})
  PageResponse<BarrierView> listBarriers(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    String state = requestContext.queryEnum("state", BarrierState.values()).map(BarrierState::toString).orElse("");
    return PageResponse.of(
        tables.barriers().list(requestContext.tenant(), state, requestContext.pageRequest()), BarrierView::summary);
  }

  /// Shows a barrier.
  ///
  /// Counts, and the hosts that have not halted.
  @Get("/{barrier}")
  BarrierView getBarrier(RequestContext requestContext, BarrierId id) {
    return service.view(service.find(id));
  }

  /// Lists the hosts of a barrier, by name.
  @Get("/{barrier}/hosts")
  @QueryParameters({"state", "cursor", "limit"})
  PageResponse<BarrierHostView> listBarrierHosts(RequestContext requestContext, BarrierId id) {
    String state =
        requestContext.queryEnum("state", BarrierHostState.values()).map(BarrierHostState::toString).orElse("");
    return PageResponse.of(
        tables.hosts().list(service.find(id).id(), state, requestContext.pageRequest()), BarrierHostView::of);
  }

  /// Says that the migration is done: the hosts resume.
  ///
  /// Only of a barrier that has halted, and whose migration is an approval.
  @Post("/{barrier}/continue")
  @Secured(Roles.OPERATOR)
  @ResponseStatuses(409)
  BarrierView continueBarrier(
      RequestContext requestContext, BarrierId id, IdempotencyKey key, @Nullable @Body BarrierActionRequest request) {
    return act(requestContext, id, key, BarrierAction.CONTINUE, request);
  }

  /// Aborts a barrier: the hosts resume now.
  ///
  /// Hosts that have not halted yet are told as well. An upgrade that is the migration is aborted.
  @Post("/{barrier}/abort")
  @Secured(Roles.OPERATOR)
  @ResponseStatuses(409)
  BarrierView abortBarrier(
      RequestContext requestContext, BarrierId id, IdempotencyKey key, @Nullable @Body BarrierActionRequest request) {
    return act(requestContext, id, key, BarrierAction.ABORT, request);
  }

  private BarrierView act(
      RequestContext requestContext,
      BarrierId id,
      IdempotencyKey key,
      BarrierAction action,
      @Nullable BarrierActionRequest request) {
    service.act(requestContext, id, key.value(), action, request == null ? "" : request.reason());
    return service.view(service.find(id));
  }
}
