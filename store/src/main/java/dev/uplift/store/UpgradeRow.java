package dev.uplift.store;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Release;
import java.time.Instant;
import java.util.Optional;

/// A device upgrade and how it ended.
///
/// @param plan JSON, as it was given at the beginning
/// @param end empty while it runs
/// @param endedAt there as soon as `end` is
public record UpgradeRow(
    String id,
    DeviceId device,
    Release release,
    String startedBy,
    Instant startedAt,
    String plan,
    Optional<UpgradeEnd> end,
    Optional<Instant> endedAt) {

  public boolean isRunning() {
    return end.isEmpty();
  }
}
