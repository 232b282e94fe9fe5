package dev.uplift.fleet.window;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The openings of one window, by the rules that [Window] states. They may overlap.
final class Occurrences extends Spans {
  /// A zone can be moved across the date line.
  private static final Duration MOST_ADRIFT = Duration.ofDays(2);

  private final Window window;
  private final ZoneRules rules;
  private final long after;
  private final long before;
  private final LocalDate last;
  private LocalDate date;

  /// Those that do not end before one instant, and begin before another.
  ///
  /// @param site the zone of a window that has none
  Occurrences(Window window, ZoneId site, Instant after, Instant before) {
    ZoneId zone = window.timezone().orElse(site);
    this.window = window;
    this.rules = zone.getRules();
    this.after = after.getEpochSecond();
    this.before = before.getEpochSecond();
    this.date = LocalDate.ofInstant(after.minus(window.duration()).minus(MOST_ADRIFT), zone);
    this.last = LocalDate.ofInstant(before.plus(MOST_ADRIFT), zone);
  }

  @Override
  @Nullable Span find() {
    while (!date.isAfter(last)) {
      LocalDate today = date;
      date = today.plusDays(1);
      if (window.daysOfWeek().contains(today.getDayOfWeek())) {
        Span found = isBlackout(today) ? null : on(today);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  /// Goes past the blackout too, which may be long.
  private boolean isBlackout(LocalDate today) {
    for (Blackout blackout : window.blackoutDates()) {
      if (blackout.covers(today)) {
        date = blackout.last().plusDays(1);
        return true;
      }
    }
    return false;
  }

  private @Nullable Span on(LocalDate today) {
    OptionalLong start = start(today);
    if (start.isEmpty() || start.getAsLong() >= before) {
      return null;
    }
    long from = start.getAsLong();
    long until = Math.min(from + window.duration().toSeconds(), nextBlackout(today));
    return from < until && until >= after ? new Span(from, until) : null;
  }

  /// Empty for a date that never was.
  private OptionalLong start(LocalDate today) {
    LocalDateTime local = today.atTime(window.startTime());
    List<ZoneOffset> offsets = rules.getValidOffsets(local);
    if (!offsets.isEmpty()) {
      // Of two the first is that before the clock is put back.
      return OptionalLong.of(local.toEpochSecond(offsets.getFirst()));
    }
    ZoneOffsetTransition jump = rules.getTransition(local);
    boolean isLeftOut =
        !jump.getDateTimeBefore().isAfter(today.atStartOfDay())
            && !jump.getDateTimeAfter().isBefore(today.plusDays(1).atStartOfDay());
    return isLeftOut ? OptionalLong.empty() : OptionalLong.of(jump.toEpochSecond());
  }

  private long nextBlackout(LocalDate today) {
    for (Blackout blackout : window.blackoutDates()) {
      if (blackout.first().isAfter(today)) {
        long begins = begin(blackout.first());
        if (begins < begin(blackout.last().plusDays(1))) {
          return begins;
        }
      }
    }
    return Span.NEVER;
  }

  private long begin(LocalDate day) {
    LocalDateTime midnight = day.atStartOfDay();
    List<ZoneOffset> offsets = rules.getValidOffsets(midnight);
    return offsets.isEmpty()
        ? rules.getTransition(midnight).toEpochSecond()
        : midnight.toEpochSecond(offsets.getFirst());
  }
}
