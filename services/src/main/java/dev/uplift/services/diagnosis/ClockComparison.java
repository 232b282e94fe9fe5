package dev.uplift.services.diagnosis;

import java.time.Duration;
import java.time.Instant;

/// Judges how much the clock of another machine differs from that of this server. Commands carry times, and hosts
/// refuse those from a future.
public final class ClockComparison {
  private static final Duration TOLERATED = Duration.ofSeconds(2);
  private static final Duration HARMFUL = Duration.ofMinutes(1);
  private static final String ADVICE = "have both machines set their clocks by NTP";

  private ClockComparison() {}

  /// Judges a clock that was read between two moments.
  ///
  /// @param part whose clock it is, as a finding names it
  /// @param before time of this server before the other clock was read
  /// @param other what it said
  /// @param after time of this server afterwards
  public static DiagnosisFinding judge(String part, Instant before, Instant other, Instant after) {
    // Between those two it may have been read at any moment.
    Duration ahead = Duration.between(after, other);
    Duration behind = Duration.between(other, before);
    Duration difference = ahead.compareTo(behind) > 0 ? ahead : behind;
    if (difference.compareTo(TOLERATED) <= 0) {
      return DiagnosisFinding.ok(part, "its clock agrees with that of this server");
    }
    String text =
        "its clock is %d s %s that of this server"
            .formatted(difference.toSeconds(), ahead.isPositive() ? "ahead of" : "behind");
    return difference.compareTo(HARMFUL) <= 0
        ? DiagnosisFinding.warning(part, text, ADVICE)
        : DiagnosisFinding.critical(part, text, ADVICE);
  }
}
