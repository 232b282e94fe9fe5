package dev.uplift.store.device;

import java.time.Instant;
import java.util.Optional;

/// Nothing is to be upgraded on this device.
///
/// @param until when it ends by itself; empty if an operator has to end it
public record Hold(String reason, String by, Instant since, Optional<Instant> until) {
  public boolean isActiveAt(Instant time) {
    return until.map(time::isBefore).orElse(true);
  }
}
