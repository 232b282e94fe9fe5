package dev.uplift.fleet.window;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;

/// The wall clock of one zone: when it first shows a date and a time.
///
/// Between two changes of its offset, results are computed without reading the zone's rules again. Fast if it is called
/// in the order of time.
final class WallClock {
  /// Seconds of a date without a change of the offset.
  static final long SECONDS_PER_DAY = 24 * 60 * 60;

  private final ZoneRules rules;

  /// In this range of local times, every time is shown once, at this offset.
  private long fixedOffsetFrom = Long.MAX_VALUE;

  private long fixedOffsetUntil = Long.MIN_VALUE;
  private long offset;

  WallClock(ZoneRules rules) {
    this.rules = rules;
  }

  /// Returns the first instant at which it shows that time of that date, or the first after the jump if it skips that
  /// time.
  ///
  /// @param date in days of the epoch
  long firstInstantOf(long date, long secondOfDay) {
    long shown = date * SECONDS_PER_DAY + secondOfDay;
    return shown >= fixedOffsetFrom && shown < fixedOffsetUntil ? shown - offset : firstInstantOf(shown);
  }

  /// Returns whether there is any instant at which it shows that date.
  boolean hasDate(long date) {
    boolean isCalm = date * SECONDS_PER_DAY >= fixedOffsetFrom && (date + 1) * SECONDS_PER_DAY <= fixedOffsetUntil;
    return isCalm || firstInstantOf(date, 0) < firstInstantOf(date + 1, 0);
  }

  private long firstInstantOf(long shown) {
    LocalDateTime local = LocalDateTime.ofEpochSecond(shown, 0, ZoneOffset.UTC);
    List<ZoneOffset> offsets = rules.getValidOffsets(local);
    if (offsets.isEmpty()) {
      return rules.getTransition(local).toEpochSecond();
    }
    // Of two instants the first is the one before the clock is put back.
    ZoneOffset first = offsets.getFirst();
    long instant = local.toEpochSecond(first);
    if (offsets.size() == 1) {
      rememberFixedOffset(shown, instant, first.getTotalSeconds());
    }
    return instant;
  }

  private void rememberFixedOffset(long shown, long instant, long at) {
    ZoneOffsetTransition change = rules.nextTransition(Instant.ofEpochSecond(instant));
    fixedOffsetFrom = shown;
    offset = at;
    fixedOffsetUntil =
        change == null
            ? Long.MAX_VALUE
            : Math.min(
                change.getDateTimeBefore().toEpochSecond(ZoneOffset.UTC),
                change.getDateTimeAfter().toEpochSecond(ZoneOffset.UTC));
  }
}
