package dev.uplift.fleet.window;

import java.time.Duration;
import java.time.Instant;

/// What a start is wanted for.
///
/// @param requiredTime how much of an opening has to be left at the start: what the release takes on the
///   device. Nothing is allowed, and means that it has to be open
/// @param spread within how long after an opening begins the devices start, each at a moment of its
///   own. Nothing means that all start as it opens. It never costs a device its opening: where need
///   or deadline leave less, less it is
/// @param deadline before which it has to start
public record StartRequirements(Duration requiredTime, Duration spread, Instant deadline) {
  /// Long enough for a thousand downloads to be over before the next thousand begin.
  public static final Duration DEFAULT_SPREAD = Duration.ofMinutes(15);

  /// Longer, and a device would miss openings of a night by the hash of its name.
  public static final Duration MAX_SPREAD = Duration.ofDays(7);

  public StartRequirements {
    if (requiredTime.isNegative()) {
      throw new IllegalArgumentException("expected a need of no time or more, found " + requiredTime);
    }
    if (spread.isNegative() || spread.compareTo(MAX_SPREAD) > 0) {
      throw new IllegalArgumentException(
          "expected a spread from nothing to %s, found %s"
              .formatted(WindowFields.format(MAX_SPREAD), spread));
    }
  }
}
