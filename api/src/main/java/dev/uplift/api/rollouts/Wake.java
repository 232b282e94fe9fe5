package dev.uplift.api.rollouts;

import dev.uplift.activities.temporal.RolloutSteering;
import dev.uplift.activities.temporal.TemporalAway;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.RolloutId;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.Rollouts;
import jakarta.inject.Singleton;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells rollouts that rest to look again, for something has changed that they wait for: windows, a
/// hold, labels. Best effort, and nobody waits for it: a rollout looks by itself every hour.
@Singleton
public final class Wake {
  private static final Logger LOG = LoggerFactory.getLogger(Wake.class);

  private final Rollouts rollouts;
  private final RolloutSteering steering;

  Wake(Rollouts rollouts, RolloutSteering steering) {
    this.rollouts = rollouts;
    this.steering = steering;
  }

  /// Those in which the device may be touched yet.
  public void allWith(DeviceId device) {
    tell(rollouts.waitingFor(device.tenant(), device.name()));
  }

  /// All of a tenant that have not ended.
  public void allOf(String tenant) {
    tell(
        rollouts.open().stream()
            .map(RolloutRow::id)
            .filter(id -> id.tenant().equals(tenant))
            .toList());
  }

  private void tell(List<RolloutId> ids) {
    if (!ids.isEmpty()) {
      Thread.ofVirtual().start(() -> ids.forEach(this::tell));
    }
  }

  private void tell(RolloutId id) {
    try {
      steering.lookAgain(id);
    } catch (TemporalAway e) {
      LOG.info("rollout {} looks again by itself: {}", id, e.getMessage());
    }
  }
}
