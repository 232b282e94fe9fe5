package dev.uplift.api.upgrades;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.IdempotencyKey;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Outcome;
import dev.uplift.store.upgrade.UpgradeFilter;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.store.upgrade.UpgradeRow;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/// Starts upgrades and shows them.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}")
@Secured(Roles.VIEWER)
final class UpgradeController {
  private final UpgradeRepository upgrades;
  private final UpgradeService service;
  private final UpgradeViews views;
  private final KnownTenants tenants;

  UpgradeController(
      UpgradeRepository upgrades,
      UpgradeService service,
      UpgradeViews views,
      KnownTenants tenants) {
    this.upgrades = upgrades;
    this.service = service;
    this.views = views;
    this.tenants = tenants;
  }

  @Post("/devices/{device}/upgrades")
  @Secured(Roles.OPERATOR)
  HttpResponse<UpgradeView> start(
      RequestContext requestContext,
      DeviceId deviceId,
      IdempotencyKey key,
      @Body StartUpgradeRequest request) {
    tenants.requireExists(requestContext.tenant());
    return respond(requestContext, service.start(requestContext, deviceId, key.value(), request));
  }

  /// Starts an upgrade that reverts this one.
  @Post("/upgrades/{id}/revert")
  @Secured(Roles.OPERATOR)
  HttpResponse<UpgradeView> revert(
      RequestContext requestContext,
      String id,
      IdempotencyKey key,
      @Nullable @Body RevertUpgradeRequest request) {
    tenants.requireExists(requestContext.tenant());
    UpgradeRow done =
        upgrades
            .find(requestContext.tenant(), IdempotencyKey.requireValid(id))
            .orElseThrow(() -> notFound(requestContext, id));
    RevertUpgradeRequest options = request == null ? RevertUpgradeRequest.EMPTY : request;
    return respond(requestContext, service.revert(requestContext, done, key.value(), options));
  }

  private HttpResponse<UpgradeView> respond(
      RequestContext requestContext, UpgradeService.StartedUpgrade startedUpgrade) {
    // A summary, because the state of a new workflow is not worth two calls to Temporal per start.
    UpgradeView view =
        startedUpgrade.isNew()
            ? views.summary(startedUpgrade.upgrade())
            : views.full(startedUpgrade.upgrade());
    URI place =
        URI.create("/v1/tenants/%s/upgrades/%s".formatted(requestContext.tenant(), view.id()));
    return startedUpgrade.isNew()
        ? HttpResponse.created(view, place)
        : HttpResponse.ok(view).headers(headers -> headers.location(place));
  }

  @Get("/upgrades")
  @QueryParameters({"device", "package", "version", "outcome", "running", "cursor", "limit"})
  PageResponse<UpgradeView> list(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    UpgradeFilter filter =
        new UpgradeFilter(
            requestContext.queryText("device"),
            requestContext.queryText("package"),
            requestContext.queryText("version"),
            requestContext.queryEnum("outcome", Outcome.values()),
            requestContext.queryBoolean("running"));
    return PageResponse.of(
        upgrades.list(requestContext.tenant(), filter, requestContext.pageRequest()),
        views::summary);
  }

  @Get("/upgrades/{id}")
  UpgradeView get(RequestContext requestContext, String id) {
    return upgrades
        .find(requestContext.tenant(), IdempotencyKey.requireValid(id))
        .map(views::full)
        .orElseThrow(() -> notFound(requestContext, id));
  }

  static ProblemException notFound(RequestContext requestContext, String id) {
    return ProblemException.notFound(
        "there is no upgrade %s in %s".formatted(id, requestContext.tenant()));
  }
}
