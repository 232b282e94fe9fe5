package dev.uplift.fleet.window;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/// The openings of one window, by the rules of [Window]. They may overlap.
///
/// Dates are epoch days, because for a fleet millions of them are computed.
final class WindowOccurrences extends IntervalSequence {
  /// A zone can move across the date line.
  private static final Duration MAX_ZONE_SHIFT = Duration.ofDays(2);

  private final Window window;
  private final WallClock clock;
  private final long after;
  private final long before;
  private final long lastDay;
  private final int days;
  private final long startSecond;
  private final long duration;
  private long day;

  /// Returns the openings that do not end before one instant, and begin before another.
  ///
  /// @param site the zone of a window that has none
  WindowOccurrences(Window window, ZoneId site, Instant after, Instant before) {
    ZoneId zone = window.timezone().orElse(site);
    this.window = window;
    this.clock = new WallClock(zone.getRules());
    this.after = after.getEpochSecond();
    this.before = before.getEpochSecond();
    this.days = window.daysOfWeek().stream().mapToInt(one -> 1 << (one.getValue() - 1)).sum();
    this.startSecond = window.startTime().toSecondOfDay();
    this.duration = window.duration().toSeconds();
    this.day = LocalDate.ofInstant(after.minus(window.duration()).minus(MAX_ZONE_SHIFT), zone).toEpochDay();
    this.lastDay = LocalDate.ofInstant(before.plus(MAX_ZONE_SHIFT), zone).toEpochDay();
  }

  @Override
  @Nullable Interval computeNext() {
    while (day <= lastDay) {
      long today = day++;
      if (isOneOfItsDays(today) && !isBlackout(today)) {
        Interval found = occurrenceOn(today);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  /// The epoch began on a Thursday, which is the third bit.
  private boolean isOneOfItsDays(long today) {
    return ((days >> Math.floorMod(today + 3, 7)) & 1) == 1;
  }

  /// Skips the blackout too, which may be long.
  private boolean isBlackout(long today) {
    for (Blackout blackout : window.blackoutDates()) {
      if (blackout.first().toEpochDay() <= today && today <= blackout.last().toEpochDay()) {
        day = blackout.last().toEpochDay() + 1;
        return true;
      }
    }
    return false;
  }

  private @Nullable Interval occurrenceOn(long today) {
    long from = clock.firstInstantOf(today, startSecond);
    if (from >= before || !clock.hasDate(today)) {
      return null;
    }
    long until = Math.min(from + duration, nextBlackout(today, from + duration));
    return from < until && until >= after ? new Interval(from, until) : null;
  }

  private long nextBlackout(long today, long until) {
    for (Blackout blackout : window.blackoutDates()) {
      long first = blackout.first().toEpochDay();
      if ((first - MAX_ZONE_SHIFT.toDays()) * WallClock.SECONDS_PER_DAY > until) {
        return Interval.NEVER;
      }
      if (first > today) {
        long begins = clock.firstInstantOf(first, 0);
        if (begins < clock.firstInstantOf(blackout.last().toEpochDay() + 1, 0)) {
          return begins;
        }
      }
    }
    return Interval.NEVER;
  }
}
