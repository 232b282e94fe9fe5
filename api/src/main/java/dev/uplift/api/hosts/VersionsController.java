package dev.uplift.api.hosts;

import dev.uplift.api.call.Call;
import dev.uplift.api.call.Takes;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.api.tenants.KnownTenants;
import dev.uplift.fleet.Names;
import dev.uplift.store.Hosts;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.security.annotation.Secured;

/// Counts devices by what runs on them.
@ForApi
@Controller("/v1/tenants/{tenant}/versions")
@Secured(Role.VIEWER)
final class VersionsController {
  private final Hosts hosts;
  private final KnownTenants tenants;

  VersionsController(Hosts hosts, KnownTenants tenants) {
    this.hosts = hosts;
    this.tenants = tenants;
  }

  @Get
  @Takes("package")
  VersionsView count(Call call) {
    tenants.check(call.tenant());
    String name =
        call.text("package")
            .filter(Names.PACKAGE::allow)
            .orElseThrow(() ->
                Call.wrong(
                    "package",
                    "expected the name of a package, such as shopd: " + Names.PACKAGE.rule()));
    return VersionsView.of(hosts.versions(call.tenant(), name));
  }
}
