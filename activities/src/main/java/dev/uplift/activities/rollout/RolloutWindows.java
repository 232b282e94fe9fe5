package dev.uplift.activities.rollout;

import dev.uplift.activities.window.SiteWindows;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.WindowRule;
import dev.uplift.fleet.window.Start;
import dev.uplift.fleet.window.Wanted;
import dev.uplift.fleet.window.Windows;
import dev.uplift.store.DeviceSpec;
import dev.uplift.store.LabelWindows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// When the devices of a rollout may be touched: where their own windows are open, those of their
/// labels, and those of the rollout. Windows as they stood when this was made.
final class RolloutWindows {
  private final RolloutPlan plan;
  private final SiteWindows sites;

  private RolloutWindows(RolloutPlan plan, SiteWindows sites) {
    this.plan = plan;
    this.sites = sites;
  }

  static RolloutWindows of(String tenant, LabelWindows labels, RolloutPlan plan) {
    return new RolloutWindows(plan, SiteWindows.of(tenant, labels));
  }

  /// Those that count: none where the plan has them ignored.
  Windows of(DeviceSpec device) {
    return plan.window().mode() == WindowRule.Mode.FORCE
        ? Windows.none(device.zone())
        : sites.of(device).and(plan.windows());
  }

  /// Whether the device may not be touched at any time.
  boolean bound(DeviceSpec device) {
    return !of(device).levels().stream().allMatch(List::isEmpty);
  }

  /// When it could start, not before `earliest`.
  Start start(DeviceSpec device, Instant earliest, Duration spread) {
    return start(device, earliest, plan.notAfter().orElse(earliest.plus(Windows.HORIZON)), spread);
  }

  /// The same under another deadline than the plan has.
  Start start(DeviceSpec device, Instant earliest, Instant deadline, Duration spread) {
    return of(device)
        .start(device.id(), earliest, new Wanted(plan.window().takes(), spread, deadline));
  }

  /// When the window closes that is open now and has room for all of it; empty where none is, and
  /// where it does not close.
  Optional<Instant> openUntil(DeviceSpec device, Instant now) {
    return start(device, now, Duration.ZERO) instanceof Start.At(Instant at, var opening)
            && !at.isAfter(now)
        ? opening.closes()
        : Optional.empty();
  }
}
