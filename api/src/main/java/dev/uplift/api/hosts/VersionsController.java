package dev.uplift.api.hosts;

import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.fleet.NameRule;
import dev.uplift.store.device.HostRepository;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.security.annotation.Secured;

/// Counts hosts by the version of a package that they run.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/versions")
@Secured(Roles.VIEWER)
final class VersionsController {
  private final HostRepository hosts;
  private final KnownTenants tenants;

  VersionsController(HostRepository hosts, KnownTenants tenants) {
    this.hosts = hosts;
    this.tenants = tenants;
  }

  /// Counts which versions of a package run.
  ///
  /// Hosts that are on no device do not count.
  @Get
  @QueryParameters("package")
  VersionsView countVersions(RequestContext requestContext) {
    tenants.requireExists(requestContext.tenant());
    String name =
        requestContext
            .queryText("package")
            .filter(NameRule.PACKAGE::isValid)
            .orElseThrow(() ->
                RequestContext.invalidParameter(
                    "package", "expected the name of a package, such as shopd: " + NameRule.PACKAGE.pattern()));
    return VersionsView.of(hosts.countVersions(requestContext.tenant(), name));
  }
}
