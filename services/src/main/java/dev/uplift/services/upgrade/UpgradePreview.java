package dev.uplift.services.upgrade;

import dev.uplift.fleet.DeviceFacts;
import dev.uplift.fleet.RequestedUpgrade;
import dev.uplift.fleet.UpgradeCheck;
import dev.uplift.services.Repositories;
import dev.uplift.services.presence.Presence;
import dev.uplift.workflows.device.UpgradePlan;
import java.util.Optional;

/// Tells before an upgrade is started what its workflow would decide at its beginning, from the
/// same facts by the same rule. Things may change until it does.
public final class UpgradePreview {
  private final DeviceFactsLoader factsLoader;

  public UpgradePreview(Repositories repositories, Presence presence) {
    this.factsLoader = new DeviceFactsLoader(repositories, presence);
  }

  /// Empty if there is no such release.
  public Optional<UpgradeCheck> check(UpgradePlan plan) {
    return factsLoader.findRelease(plan).map(release -> check(plan, factsLoader.load(plan, release)));
  }

  private static UpgradeCheck check(UpgradePlan plan, DeviceFacts facts) {
    return plan.revert()
        .map(upgradeToRevert -> UpgradeCheck.ofRevert(plan.release(), upgradeToRevert.versionByHost(), facts))
        .orElseGet(() ->
            UpgradeCheck.of(new RequestedUpgrade(plan.release(), plan.byPerson(), plan.allowDowngrade()), facts));
  }
}
