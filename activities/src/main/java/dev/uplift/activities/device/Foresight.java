package dev.uplift.activities.device;

import dev.uplift.activities.links.Tables;
import dev.uplift.activities.presence.Presence;
import dev.uplift.fleet.Check;
import dev.uplift.fleet.Findings;
import dev.uplift.fleet.Wish;
import dev.uplift.workflows.device.UpgradePlan;
import java.util.Optional;

/// Tells before an upgrade is started what its workflow would decide at its beginning, from the
/// same facts by the same rule. Things may change until it does.
public final class Foresight {
  private final Facts facts;

  public Foresight(Tables tables, Presence presence) {
    this.facts = new Facts(tables, presence);
  }

  /// Empty if there is no such release.
  public Optional<Check> of(UpgradePlan plan) {
    return facts.release(plan).map(release -> check(plan, facts.of(plan, release)));
  }

  private static Check check(UpgradePlan plan, Findings found) {
    return plan.revert()
        .map(done -> Check.ofRevert(plan.release(), done.versions(), found))
        .orElseGet(() ->
            Check.of(new Wish(plan.release(), plan.byPerson(), plan.allowDowngrade()), found));
  }
}
