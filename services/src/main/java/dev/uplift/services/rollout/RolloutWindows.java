package dev.uplift.services.rollout;

import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WindowRule;
import dev.uplift.fleet.window.PlannedStart;
import dev.uplift.fleet.window.StartRequirements;
import dev.uplift.fleet.window.WindowSchedule;
import dev.uplift.services.window.TenantWindows;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.LabelWindowRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// When the devices of a rollout may be touched: where their own windows are open, those of their labels, and those of
/// the rollout. Windows as they stood when this was made.
public final class RolloutWindows {
  private final RolloutPlan plan;
  private final TenantWindows tenantWindows;

  private RolloutWindows(RolloutPlan plan, TenantWindows tenantWindows) {
    this.plan = plan;
    this.tenantWindows = tenantWindows;
  }

  public static RolloutWindows of(String tenant, LabelWindowRepository labels, RolloutPlan plan) {
    return new RolloutWindows(plan, TenantWindows.of(tenant, labels));
  }

  /// Those that count: none where the plan has them ignored.
  public WindowSchedule of(DeviceSpec device) {
    return plan.window().mode() == WindowRule.Mode.IGNORE
        ? WindowSchedule.none(device.zone())
        : tenantWindows.of(device).withLevel(plan.windows());
  }

  /// Returns whether windows restrict the device.
  public boolean isRestricted(DeviceSpec device) {
    return !of(device).levels().stream().allMatch(List::isEmpty);
  }

  /// When it could start, not before `earliest`.
  PlannedStart firstStart(DeviceSpec device, Instant earliest, Duration spread) {
    return firstStart(device, earliest, plan.notAfter().orElse(earliest.plus(WindowSchedule.HORIZON)), spread);
  }

  /// The windows under another deadline than the plan has.
  public PlannedStart firstStart(DeviceSpec device, Instant earliest, Instant deadline, Duration spread) {
    return of(device)
        .planStart(device.id(), earliest, new StartRequirements(plan.window().requiredTime(), spread, deadline));
  }

  /// When the window closes that is open now and has room for all of it; empty where none is, and where it does not
  /// close.
  public Optional<Instant> openUntil(DeviceSpec device, Instant now) {
    return firstStart(device, now, Duration.ZERO) instanceof PlannedStart.At(Instant at, var opening)
            && !at.isAfter(now)
        ? opening.closes()
        : Optional.empty();
  }
}
