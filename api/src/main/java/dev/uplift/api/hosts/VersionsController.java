package dev.uplift.api.hosts;

import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.fleet.NameRule;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.version.HostVersionRepository;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.security.annotation.Secured;

/// Counts hosts by the version of a package that they run, or ran.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/versions")
@Secured(Roles.VIEWER)
final class VersionsController {
  private static final int DEFAULT_DAYS = 30;
  private static final int MAX_DAYS = 400;

  private final HostRepository hosts;
  private final HostVersionRepository versions;
  private final KnownTenants tenants;

  VersionsController(HostRepository hosts, HostVersionRepository versions, KnownTenants tenants) {
    this.hosts = hosts;
    this.versions = versions;
    this.tenants = tenants;
  }

  /// Counts which versions of a package run.
  ///
  /// Hosts that are on no device do not count.
  @Get
  @QueryParameters("package")
  VersionsView countVersions(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    return VersionsView.of(hosts.countVersions(requestContext.tenant(), packageName(requestContext)));
  }

  /// Counts which versions of a package ran, day by day.
  ///
  /// Hosts that are on no device count, too. A host counts from its first report on, also while it is silent.
  @Get("/history")
  @QueryParameters({"package", "days"})
  VersionHistoryView countVersionsByDay(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    String name = packageName(requestContext);
    int days = requestContext.queryInt("days", 1, MAX_DAYS).orElse(DEFAULT_DAYS);
    return VersionHistoryView.of(name, versions.countByDay(requestContext.tenant(), name, days));
  }

  private static String packageName(RequestContext requestContext) {
    return requestContext
        .queryText("package")
        .filter(NameRule.PACKAGE::isValid)
        .orElseThrow(() ->
            RequestContext.invalidParameter(
                "package", "expected the name of a package, such as shopd: " + NameRule.PACKAGE.pattern()));
  }
}
