package dev.uplift.fleet.rollout.decision;

import java.time.Instant;
import java.util.Optional;

/// The devices started in the last minute.
///
/// @param inLastMinute so many devices
/// @param oldest when the first of those was started
public record RecentStarts(int inLastMinute, Optional<Instant> oldest) {
  public static final RecentStarts NONE = new RecentStarts(0, Optional.empty());
}
