package dev.uplift.api.wake;

import dev.uplift.activities.temporal.Proceeding;
import dev.uplift.activities.temporal.RolloutSteering;
import dev.uplift.activities.temporal.TemporalAway;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.RolloutId;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.Rollouts;
import dev.uplift.store.UpgradeFilter;
import dev.uplift.store.UpgradeRow;
import dev.uplift.store.Upgrades;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Tells rollouts that rest, and upgrades that wait, to look again, for something has changed that
/// they wait for: windows, a hold, labels. Best effort, and nobody waits for it: each looks by
/// itself every hour.
@Singleton
public final class Wake {
  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final PageRequest PAGE = PageRequest.first(PageRequest.MOST);
  private static final Logger LOG = LoggerFactory.getLogger(Wake.class);

  private final Rollouts rollouts;
  private final RolloutSteering steering;
  private final Upgrades upgrades;
  private final Proceeding proceeding;

  Wake(Rollouts rollouts, RolloutSteering steering, Upgrades upgrades, Proceeding proceeding) {
    this.rollouts = rollouts;
    this.steering = steering;
    this.upgrades = upgrades;
    this.proceeding = proceeding;
  }

  /// Those in which the device may be touched yet.
  public void allWith(DeviceId device) {
    tell(
        rollouts.waitingFor(device.tenant(), device.name()),
        bound(device.tenant(), Optional.of(device.name())));
  }

  /// All of a tenant that have not ended.
  public void allOf(String tenant) {
    tell(
        rollouts.open().stream()
            .map(RolloutRow::id)
            .filter(id -> id.tenant().equals(tenant))
            .toList(),
        bound(tenant, Optional.empty()));
  }

  /// Devices with an upgrade that runs and is bound to windows.
  private List<DeviceId> bound(String tenant, Optional<String> device) {
    var running =
        new UpgradeFilter(
            device, Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(true));
    List<DeviceId> bound = new ArrayList<>();
    Optional<PageRequest> next = Optional.of(PAGE);
    while (next.isPresent()) {
      Page<UpgradeRow> page = upgrades.list(tenant, running, next.get());
      page.rows().stream().filter(Wake::isBound).map(UpgradeRow::device).forEach(bound::add);
      next = PAGE.after(page);
    }
    return bound;
  }

  private static boolean isBound(UpgradeRow row) {
    try {
      return MAPPER.readTree(row.plan()).path("window").isObject();
    } catch (JacksonException _) {
      return false;
    }
  }

  private void tell(List<RolloutId> ids, List<DeviceId> devices) {
    if (!ids.isEmpty() || !devices.isEmpty()) {
      Thread.ofVirtual()
          .start(() -> {
            ids.forEach(id -> tell("rollout " + id, () -> steering.lookAgain(id)));
            devices.forEach(id -> tell("upgrade of " + id, () -> proceeding.lookAgain(id)));
          });
    }
  }

  private static void tell(String whom, Runnable word) {
    try {
      word.run();
    } catch (TemporalAway e) {
      LOG.info("{} looks again by itself: {}", whom, e.getMessage());
    }
  }
}
