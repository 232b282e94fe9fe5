package dev.uplift.api.osupgrade;

import dev.uplift.api.osupgrade.OsUpgradeStateView.OsUpgradeHostView;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.PageResponse;
import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.fleet.DeviceId;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.policy.PolicyRepository;
import dev.uplift.store.policy.PolicyRow;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.security.annotation.Secured;
import java.util.Optional;
import java.util.TreeMap;

/// The state of the OS upgrade of a tenant.
@RequiresApiRole
@Controller("/v1/state/tenants/{tenant}/os-upgrade")
@Secured(Roles.VIEWER)
final class OsUpgradeStateController {
  private final PolicyRepository policies;
  private final DeviceRepository devices;
  private final HostRepository hosts;
  private final OsUpgradeStateReader reader;

  OsUpgradeStateController(
      PolicyRepository policies, DeviceRepository devices, HostRepository hosts, OsUpgradeStateReader reader) {
    this.policies = policies;
    this.devices = devices;
    this.hosts = hosts;
    this.reader = reader;
  }

  /// The values of the parameter `content`.
  enum Content {
    CONFIG,
    NONCONFIG
  }

  /// Shows the state of the OS upgrade of a tenant.
  ///
  /// Of all its sites, or of one of them: a device.
  @Get
  @QueryParameters({RequestedFields.PARAMETER, "site", "content"})
  OsUpgradeStateView getOsUpgradeState(RequestContext requestContext) {
    RequestedFields fields = RequestedFields.of(requestContext, OsUpgradeStateView.FIELDS);
    Optional<RequestedFields> some =
        requestContext
            .queryEnum("content", Content.values())
            .map(content ->
                fields.only(
                    switch (content) {
                      case CONFIG -> OsUpgradeView.FIELDS;
                      case NONCONFIG -> OsUpgradeStateView.NONCONFIG;
                    }));
    Optional<DeviceId> site =
        requestContext
            .queryText("site")
            .map(name -> RequestContext.parse("site", () -> new DeviceId(requestContext.tenant(), name)));
    PolicyRow policy = OsUpgradeConfig.find(policies, requestContext.tenant());
    return reader.read(policy, site.map(this::device), some.orElse(fields));
  }

  private DeviceRow device(DeviceId site) {
    return devices
        .find(site)
        .orElseThrow(
            () -> ProblemException.notFound("there is no device %s in %s".formatted(site.name(), site.tenant())));
  }

  /// Lists the hosts that take part in the OS upgrade, with the versions that they report.
  ///
  /// By name.
  @Get("/hosts")
  @QueryParameters({"cursor", "limit"})
  PageResponse<OsUpgradeHostView> listOsUpgradeHosts(RequestContext requestContext) {
    PolicyRow policy = OsUpgradeConfig.find(policies, requestContext.tenant());
    return PageResponse.of(
        hosts.listWithPackage(policy.tenant(), policy.packageName(), requestContext.pageRequest()),
        row -> new OsUpgradeHostView(row.host().value(), new TreeMap<>(row.versions())));
  }
}
