package dev.uplift.fleet.rollout;

import java.time.Instant;
import java.util.Optional;

/// What was started lately.
///
/// @param inLastMinute so many devices
/// @param oldest when the first of those was started
public record Pacing(int inLastMinute, Optional<Instant> oldest) {
  public static final Pacing NONE = new Pacing(0, Optional.empty());
}
