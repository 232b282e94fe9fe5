package dev.uplift.api.why;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.why.Explanation;
import dev.uplift.fleet.why.ExplanationFacts.RunningUpgrade;
import dev.uplift.services.why.ExplanationFactsLoader;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceRow;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.security.annotation.Secured;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Explains the state of the packages of a device.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/devices/{device}/why")
@Secured(Roles.VIEWER)
final class WhyController {
  /// More packages are explained one by one.
  private static final int MAX_PACKAGES = 20;

  private final DeviceRepository devices;
  private final RunningUpgradeReader runningUpgrades;
  private final ExplanationFactsLoader factsLoader;
  private final InstantSource clock;

  WhyController(
      DeviceRepository devices,
      RunningUpgradeReader runningUpgrades,
      ExplanationFactsLoader factsLoader,
      InstantSource clock) {
    this.devices = devices;
    this.runningUpgrades = runningUpgrades;
    this.factsLoader = factsLoader;
    this.clock = clock;
  }

  /// Explains why a device is not, not yet or no longer being upgraded.
  ///
  /// For one package, or for up to 20 that its hosts report or that are to be upgraded there: a chain from what is
  /// wanted over all that may be in its way to the step in work and its last error, and the link of it that is the
  /// answer.
  @Get
  @QueryParameters("package")
  DeviceExplanationView explainDevice(RequestContext requestContext, DeviceId id) {
    Optional<String> one = requestContext.queryName("package", NameRule.PACKAGE);
    DeviceRow device =
        devices
            .find(id)
            .orElseThrow(
                () -> ProblemException.notFound("there is no device %s in %s".formatted(id.name(), id.tenant())));
    Optional<RunningUpgrade> running = runningUpgrades.find(id);
    Collection<String> packages =
        one.<Collection<String>>map(List::of).orElseGet(() -> factsLoader.packages(device, running));
    return new DeviceExplanationView(
        id.name(),
        packages.stream()
            .limit(MAX_PACKAGES)
            .map(name -> Explanation.of(factsLoader.load(device, name, running), clock.instant()))
            .map(DeviceExplanationView.ExplanationView::of)
            .toList());
  }
}
