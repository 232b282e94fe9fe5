package dev.uplift.api.hosts;

import dev.uplift.api.filter.Filters;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.NameRule;
import dev.uplift.services.Repositories;
import dev.uplift.services.presence.Presence;
import dev.uplift.store.Page;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.HostRow;
import dev.uplift.store.upgrade.UpgradeRow;
import dev.uplift.store.version.HostVersionRepository;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.security.annotation.Secured;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Shows hosts.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/hosts")
@Secured(Roles.VIEWER)
final class HostController {
  private final Repositories repositories;
  private final HostVersionRepository versions;
  private final Filters filters;
  private final Presence presence;
  private final KnownTenants tenants;

  HostController(
      Repositories repositories,
      HostVersionRepository versions,
      Filters filters,
      Presence presence,
      KnownTenants tenants) {
    this.repositories = repositories;
    this.versions = versions;
    this.filters = filters;
    this.presence = presence;
    this.tenants = tenants;
  }

  /// Lists hosts.
  ///
  /// All of the tenant, or all of a device in its order, as one page. A `filter` sees the versions of the host itself,
  /// and otherwise the fields of its device.
  @Get
  @QueryParameters({"device", Filters.PARAMETER, "cursor", "limit"})
  PageResponse<HostView> listHosts(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    return requestContext
        .queryText("device")
        .map(device -> of(requestContext, deviceId(requestContext, device)))
        .orElseGet(() ->
            PageResponse.of(
                filters.hosts(requestContext, page -> repositories.hosts().list(requestContext.tenant(), page)),
                this::view));
  }

  private static DeviceId deviceId(RequestContext requestContext, String name) {
    return RequestContext.parse("device", () -> new DeviceId(requestContext.tenant(), name));
  }

  /// Returns all hosts of a device, in its order; they fit one page.
  private PageResponse<HostView> of(RequestContext requestContext, DeviceId device) {
    DeviceRow row =
        repositories
            .devices()
            .find(device)
            .orElseThrow(() ->
                ProblemException.notFound(
                    "there is no device %s in %s".formatted(device.name(), requestContext.tenant())));
    List<HostRow> all =
        row.hosts().stream()
            .flatMap(host -> repositories.hosts().find(requestContext.tenant(), host).stream())
            .toList();
    return PageResponse.of(filters.hosts(requestContext, _ -> new Page<>(all, Optional.empty())), this::view);
  }

  /// Shows a host.
  ///
  /// Its last report, and its presence now.
  @Get("/{host}")
  HostView getHost(RequestContext requestContext, HostId id) {
    return view(find(requestContext, id));
  }

  /// Lists the versions that a host runs and ran, newest first.
  ///
  /// Of each package since when, and which upgrade had changed it. Versions that it has not run for 400 days are
  /// removed.
  @Get("/{host}/versions")
  @QueryParameters({"package", "cursor", "limit"})
  PageResponse<HostVersionView> listHostVersions(RequestContext requestContext, HostId id) {
    Optional<String> packageName = requestContext.queryName("package", NameRule.PACKAGE);
    var _ = find(requestContext, id);
    return PageResponse.of(
        versions.list(requestContext.tenant(), id, packageName, requestContext.pageRequest()), HostVersionView::of);
  }

  /// Lists the packages of a host, with the last upgrade of each.
  ///
  /// By name, as one page.
  @Get("/{host}/packages")
  PageResponse<HostPackageView> listHostPackages(RequestContext requestContext, HostId id) {
    HostRow row = find(requestContext, id);
    List<HostPackageView> packages =
        new TreeMap<>(row.versions())
            .entrySet().stream()
                .map(installed ->
                    HostPackageView.of(
                        id, installed.getKey(), installed.getValue(), lastUpgrade(row, installed.getKey())))
                .toList();
    return PageResponse.of(new Page<>(packages, Optional.empty()), view -> view);
  }

  private Optional<UpgradeRow> lastUpgrade(HostRow row, String packageName) {
    return row.device()
        .flatMap(
            device -> repositories.upgrades().findNewestOfHost(row.tenant(), device, packageName, row.host().value()));
  }

  private HostRow find(RequestContext requestContext, HostId id) {
    return repositories
        .hosts()
        .find(requestContext.tenant(), id)
        .orElseThrow(
            () -> ProblemException.notFound("there is no host %s in %s".formatted(id, requestContext.tenant())));
  }

  private HostView view(HostRow row) {
    return HostView.of(
        row,
        presence.status(row.tenant(), row.host()),
        presence.heartbeats(row.tenant(), row.host()),
        presence.silenceCutoff());
  }
}
