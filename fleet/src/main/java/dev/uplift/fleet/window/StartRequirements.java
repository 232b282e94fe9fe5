package dev.uplift.fleet.window;

import java.time.Duration;
import java.time.Instant;

/// The requirements of the start of a device.
///
/// @param requiredTime how much of an opening has to be left at the start: the time that the release takes on the
///   device. Zero means that it only has to be open
/// @param spread the time after the beginning of an opening within which the devices start, each at a moment of its
///   own. Zero means that all start when it opens. It never costs a device its opening: it is shortened if required
///   time or deadline leave less
/// @param deadline the start has to be before it
public record StartRequirements(Duration requiredTime, Duration spread, Instant deadline) {
  /// Long enough for a thousand downloads to finish before the next thousand begin.
  public static final Duration DEFAULT_SPREAD = Duration.ofMinutes(15);

  /// A longer spread would make devices miss short openings because of their hash.
  public static final Duration MAX_SPREAD = Duration.ofDays(7);

  public StartRequirements {
    if (requiredTime.isNegative()) {
      throw new IllegalArgumentException("expected a need of no time or more, found " + requiredTime);
    }
    if (spread.isNegative() || spread.compareTo(MAX_SPREAD) > 0) {
      throw new IllegalArgumentException(
          "expected a spread from nothing to %s, found %s".formatted(WindowFields.format(MAX_SPREAD), spread));
    }
  }
}
