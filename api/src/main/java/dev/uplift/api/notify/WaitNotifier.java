package dev.uplift.api.notify;

import dev.uplift.activities.temporal.PolicySignals;
import dev.uplift.activities.temporal.RolloutWorkflowClient;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.RolloutId;
import dev.uplift.services.upgrade.RecordedPlan;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.rollout.DeviceRolloutRepository;
import dev.uplift.store.rollout.RolloutRepository;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.upgrade.UpgradeFilter;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.store.upgrade.UpgradeRow;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Signals waiting rollouts and upgrades, and policies, to check again, after windows, a hold or labels have changed.
/// Best effort, in the background: each checks by itself every hour.
@Singleton
public final class WaitNotifier {
  private static final PageRequest PAGE = PageRequest.first(PageRequest.MAX_LIMIT);
  private static final Logger LOG = LoggerFactory.getLogger(WaitNotifier.class);

  private final RolloutRepository rollouts;
  private final DeviceRolloutRepository deviceRollouts;
  private final UpgradeRepository upgrades;
  private final UpgradeWorkflowClient upgradeWorkflows;

  /// Each signal is an event in the history of the rollout.
  private final CoalescingExecutor<RolloutId> rolloutSignals;

  /// Devices that have changed since the policies of their tenant were last told.
  private final Map<String, Set<String>> changedDevices = new ConcurrentHashMap<>();

  private final CoalescingExecutor<String> policySignals;
  private final PolicySignals policies;

  WaitNotifier(
      RolloutRepository rollouts,
      DeviceRolloutRepository deviceRollouts,
      RolloutWorkflowClient rolloutWorkflows,
      UpgradeRepository upgrades,
      UpgradeWorkflowClient upgradeWorkflows,
      PolicySignals policies) {
    this.rollouts = rollouts;
    this.deviceRollouts = deviceRollouts;
    this.upgrades = upgrades;
    this.upgradeWorkflows = upgradeWorkflows;
    this.policies = policies;
    this.rolloutSignals =
        new CoalescingExecutor<>(
            Duration.ofSeconds(1), id -> signal("rollout " + id, () -> rolloutWorkflows.recheck(id)));
    this.policySignals =
        new CoalescingExecutor<>(
            Duration.ofSeconds(1),
            tenant -> {
              Set<String> changed = changedDevices.remove(tenant);
              if (changed != null) {
                policies.recheckDevices(tenant, changed);
              }
            });
  }

  /// Signals the rollouts and upgrades that may still change the device, and the policies of its tenant.
  public void notifyDevice(DeviceId device) {
    changedDevices.compute(
        device.tenant(),
        (_, before) -> {
          Set<String> changed = before == null ? new HashSet<>() : before;
          changed.add(device.name());
          return changed;
        });
    policySignals.request(device.tenant());
    signal(
        deviceRollouts.findOpenWithWaitingDevice(device.tenant(), device.name()),
        devicesBoundToWindows(device.tenant(), Optional.of(device.name())));
  }

  /// Signals all of a tenant that have not ended, and its policies.
  public void notifyTenant(String tenant) {
    policies.recheckTenant(tenant);
    signal(
        rollouts.findOpen().stream().map(RolloutRow::id).filter(id -> id.tenant().equals(tenant)).toList(),
        devicesBoundToWindows(tenant, Optional.empty()));
  }

  /// Returns the devices with a running upgrade that is bound to windows.
  private List<DeviceId> devicesBoundToWindows(String tenant, Optional<String> device) {
    var running = new UpgradeFilter(device, Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(true));
    List<DeviceId> bound = new ArrayList<>();
    Optional<PageRequest> next = Optional.of(PAGE);
    while (next.isPresent()) {
      Page<UpgradeRow> page = upgrades.list(tenant, running, next.get());
      page.rows().stream().filter(WaitNotifier::isBound).map(UpgradeRow::device).forEach(bound::add);
      next = PAGE.next(page);
    }
    return bound;
  }

  private static boolean isBound(UpgradeRow row) {
    return RecordedPlan.read(row.plan()).filter(RecordedPlan::isBoundToWindows).isPresent();
  }

  private void signal(List<RolloutId> ids, List<DeviceId> devices) {
    ids.forEach(rolloutSignals::request);
    if (!devices.isEmpty()) {
      Thread.ofVirtual()
          .start(() -> devices.forEach(id -> signal("upgrade of " + id, () -> upgradeWorkflows.recheck(id))));
    }
  }

  private static void signal(String receiver, Runnable call) {
    try {
      call.run();
    } catch (TemporalUnavailable e) {
      LOG.info("{} checks again by itself within the hour: {}", receiver, e.getMessage());
    }
  }
}
