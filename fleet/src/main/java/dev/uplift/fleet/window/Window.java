package dev.uplift.fleet.window;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A weekly recurring maintenance window, in which a device may be changed.
///
/// On each of its days it opens at its start time and stays open for its duration of physical time, past midnight, the
/// end of the week and changes of the clock. The opening belongs to the date on which it begins. If the clock skips the
/// start, it opens at the first instant after the jump; if the start occurs twice, at the first; on a date that its
/// zone skipped, not at all.
///
/// An opening that would begin on a blackout date does not happen, nor do its hours after midnight. One that runs into
/// a blackout date ends when that date begins, and does not continue after it.
///
/// Rejects, with a message for people, a window that can never open or is probably a mistake.
///
/// @param daysOfWeek on which it opens; at least one
/// @param startTime local time of day, in whole minutes
/// @param timezone the zone of days, time and dates; empty: each site's own
/// @param duration whole minutes, from one to a week
/// @param blackoutDates sorted
public record Window(
    Set<DayOfWeek> daysOfWeek,
    LocalTime startTime,
    Optional<ZoneId> timezone,
    Duration duration,
    List<Blackout> blackoutDates) {

  public static final Duration MIN_DURATION = Duration.ofMinutes(1);
  public static final Duration MAX_DURATION = Duration.ofDays(7);

  /// How many a device, a label or a rollout has at most.
  public static final int MAX_WINDOWS = 20;

  /// A bound on size; long freezes are written as ranges.
  public static final int MAX_BLACKOUTS = 100;

  public Window {
    if (daysOfWeek.isEmpty()) {
      throw new IllegalArgumentException("expected at least one day of the week, found none");
    }
    if (!startTime.equals(startTime.truncatedTo(ChronoUnit.MINUTES))) {
      throw new IllegalArgumentException("expected a start time in whole minutes such as 02:30, found " + startTime);
    }
    checkDuration(duration);
    if (blackoutDates.size() > MAX_BLACKOUTS) {
      throw new IllegalArgumentException(
          "expected at most %d blackout dates or ranges of dates, found %d"
              .formatted(MAX_BLACKOUTS, blackoutDates.size()));
    }
    daysOfWeek = Collections.unmodifiableSet(EnumSet.copyOf(daysOfWeek));
    blackoutDates = blackoutDates.stream().distinct().sorted().toList();
  }

  /// Creates a window without blackout dates.
  public static Window of(
      Collection<DayOfWeek> daysOfWeek, LocalTime startTime, Optional<ZoneId> timezone, Duration duration) {
    return new Window(Set.copyOf(daysOfWeek), startTime, timezone, duration, List.of());
  }

  static void checkDuration(Duration duration) {
    boolean whole = duration.equals(duration.truncatedTo(ChronoUnit.MINUTES));
    if (!whole || duration.compareTo(MIN_DURATION) < 0 || duration.compareTo(MAX_DURATION) > 0) {
      throw new IllegalArgumentException(
          "expected a duration of whole minutes from %s to %s such as 4h, found %s"
              .formatted(WindowFields.format(MIN_DURATION), WindowFields.format(MAX_DURATION), duration));
    }
  }

  /// Describes the window in one line, with its fields as they are written.
  @Override
  public String toString() {
    String days = String.join(",", daysOfWeek.stream().map(WindowFields::format).toList());
    String except =
        blackoutDates.isEmpty()
            ? ""
            : " except " + String.join(",", blackoutDates.stream().map(WindowFields::format).toList());
    return "%s %s %s for %s%s"
        .formatted(days, startTime, WindowFields.format(timezone), WindowFields.format(duration), except);
  }
}
