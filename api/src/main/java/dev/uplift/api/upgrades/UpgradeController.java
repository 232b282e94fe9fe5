package dev.uplift.api.upgrades;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.IdempotencyKey;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.api.upgrades.CommandView.CommandLogView;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Step;
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
import java.util.List;
import java.util.Optional;
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

  UpgradeController(UpgradeRepository upgrades, UpgradeService service, UpgradeViews views, KnownTenants tenants) {
    this.upgrades = upgrades;
    this.service = service;
    this.views = views;
    this.tenants = tenants;
  }

  /// Starts the upgrade of a device.
  ///
  /// The same key again, for the same device and release, is the same upgrade. Refused with 409 while another upgrade
  /// of the device runs, or if this one would be declined at its beginning. Outside of the windows of the device it is
  /// refused with 409 and the next three openings, unless `wait_for_window` or `ignore_windows` is set.
  @Post("/devices/{device}/upgrades")
  @Secured(Roles.OPERATOR)
  @ResponseStatuses({200, 201, 409, 422})
  HttpResponse<UpgradeView> startUpgrade(
      RequestContext requestContext, DeviceId deviceId, IdempotencyKey key, @Body StartUpgradeRequest request) {
    tenants.requireExists(requestContext.tenant());
    return respond(requestContext, service.start(requestContext, deviceId, key.value(), request));
  }

  /// Reverts a finished upgrade.
  ///
  /// Starts an upgrade of its own, whose `revert_of` is this one: each host goes back to the version that it ran
  /// before. The same key again is the same revert. Refused with 409 while this one or another of the device runs, if
  /// it left no host on its release, and if the hosts run something else by now (`moved-on`).
  @Post("/upgrades/{id}/revert")
  @Secured(Roles.OPERATOR)
  @ResponseStatuses({200, 201, 409, 422})
  HttpResponse<UpgradeView> revertUpgrade(
      RequestContext requestContext, String id, IdempotencyKey key, @Nullable @Body RevertUpgradeRequest request) {
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
        startedUpgrade.isNew() ? views.summary(startedUpgrade.upgrade()) : views.full(startedUpgrade.upgrade());
    URI place = URI.create("/v1/tenants/%s/upgrades/%s".formatted(requestContext.tenant(), view.id()));
    return startedUpgrade.isNew()
        ? HttpResponse.created(view, place)
        : HttpResponse.ok(view).headers(headers -> headers.location(place));
  }

  /// Lists upgrades, newest first.
  ///
  /// The filters apply together. Items have the fields up to `temporal_ui`.
  @Get("/upgrades")
  @QueryParameters({"device", "package", "version", "outcome", "running", "cursor", "limit"})
  PageResponse<UpgradeView> listUpgrades(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    UpgradeFilter filter =
        new UpgradeFilter(
            requestContext.queryName("device", NameRule.DEVICE),
            requestContext.queryName("package", NameRule.PACKAGE),
            requestContext.queryName("version", NameRule.VERSION),
            requestContext.queryEnum("outcome", Outcome.values()),
            requestContext.queryBoolean("running"));
    return PageResponse.of(
        upgrades.list(requestContext.tenant(), filter, requestContext.pageRequest()), views::summary);
  }

  /// Shows an upgrade.
  ///
  /// The progress of each host, the current waits, and every command. While Temporal is unavailable, `unavailable` says
  /// what is missing.
  @Get("/upgrades/{id}")
  UpgradeView getUpgrade(RequestContext requestContext, String id) {
    return upgrades
        .find(requestContext.tenant(), IdempotencyKey.requireValid(id))
        .map(views::full)
        .orElseThrow(() -> notFound(requestContext, id));
  }

  /// Shows the logs of the steps of an upgrade.
  ///
  /// The last 8 KiB that the agent has sent with the answer of each command, in the order of the commands. Commands
  /// without an answer, without a log or with one that is no longer kept are missing.
  @Get("/upgrades/{id}/log")
  @QueryParameters({"host", "step"})
  PageResponse<CommandLogView> getUpgradeLog(RequestContext requestContext, String id) {
    Optional<String> host = requestContext.queryName("host", NameRule.HOST);
    Optional<String> step = requestContext.queryEnum("step", Step.values()).map(Step::toString);
    UpgradeRow row =
        upgrades
            .find(requestContext.tenant(), IdempotencyKey.requireValid(id))
            .orElseThrow(() -> notFound(requestContext, id));
    List<CommandLogView> logs =
        views.timeline(row).stream()
            .filter(command -> host.isEmpty() || host.get().equals(command.host()))
            .filter(command -> step.isEmpty() || step.get().equals(command.step()))
            .flatMap(CommandView::logs)
            .toList();
    return new PageResponse<>(logs, Optional.empty());
  }

  static ProblemException notFound(RequestContext requestContext, String id) {
    return ProblemException.notFound(
        "there is no upgrade %s in %s; one that ended long ago may be in the archive"
            .formatted(id, requestContext.tenant()));
  }
}
