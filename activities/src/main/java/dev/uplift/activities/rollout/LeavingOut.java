package dev.uplift.activities.rollout;

import dev.uplift.activities.device.FleetFacts;
import dev.uplift.fleet.Check;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.rollout.OnBusy;
import dev.uplift.fleet.window.Start;
import dev.uplift.store.Membership.LeftOut;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// Who takes no part in a rollout though the selection is true of it, and why.
///
/// @param earliest not before this anything is started
/// @param busy devices that something else works on, and what
record LeavingOut(
    RolloutWish wish,
    FleetFacts facts,
    RolloutWindows windows,
    Map<String, String> busy,
    Instant earliest) {

  Optional<LeftOut> out(Site site) {
    if (site.device().hosts().isEmpty()) {
      return because(site, "no-hosts", "has no hosts");
    }
    return switch (facts.check(site.device(), site.hosts(), wish.allowDowngrade())) {
      case Check.AlreadyThere() ->
          because(site, "already-there", "runs " + wish.plan().release() + " already");
      case Check.Refused(Reason reason) -> because(site, reason.code(), reason.text());
      case Check.GoOn() -> outOfReach(site);
    };
  }

  private Optional<LeftOut> outOfReach(Site site) {
    String with = busy.get(site.name());
    if (with != null && wish.plan().onBusy() == OnBusy.SKIP) {
      return because(site, "busy", "in " + with);
    }
    return start(site) instanceof Start.Never(_, String text)
        ? because(site, "no-window", text)
        : Optional.empty();
  }

  /// When it could start, as far as its windows say.
  Start start(Site site) {
    return windows.start(site.device().spec(), earliest, Duration.ZERO);
  }

  private static Optional<LeftOut> because(Site site, String reason, String detail) {
    return Optional.of(new LeftOut(site.name(), reason, detail));
  }
}
