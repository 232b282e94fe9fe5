package dev.uplift.fleet.policy;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.window.StartSpread;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// When a policy begins with each device.
///
/// @param start not before; empty: as soon as it is enabled
/// @param spreadOver each device begins at its own point of this span, which is the same on every server
public record PolicyStart(Optional<Instant> start, Duration spreadOver) {
  public static final PolicyStart NOW = new PolicyStart(Optional.empty(), Duration.ZERO);

  /// Returns when the device begins.
  public Instant of(DeviceId device, Instant enabledAt) {
    Instant first = start.filter(enabledAt::isBefore).orElse(enabledAt);
    return first.plusSeconds(StartSpread.offsetSeconds(device, spreadOver.toSeconds()));
  }
}
