package dev.uplift.fleet.window;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.window.IntervalSequence.Interval;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// When one device may be changed: when all levels are open.
///
/// A level is the windows of one source: the device, one of its labels, the rollout. It is open when any of its windows
/// is; openings that overlap or touch are one. A level without windows is always open, so a device without any window
/// may be changed at any time.
///
/// A value: devices with equal windows and zone have equal results, which may be cached and shared.
///
/// @param levels in any order
/// @param zone the device's zone
public record WindowSchedule(List<List<Window>> levels, ZoneId zone) {
  /// How far ahead openings are computed. A window that does not open within it counts as never open.
  public static final Duration HORIZON = Duration.ofDays(400);

  /// How far back the beginning of an opening is computed.
  public static final Duration LOOK_BACK = Duration.ofDays(8);

  public WindowSchedule {
    levels = levels.stream().map(List::copyOf).toList();
  }

  /// The schedule of a device without windows.
  public static WindowSchedule none(ZoneId site) {
    return new WindowSchedule(List.of(), site);
  }

  /// Returns this schedule, intersected with the windows of one more source.
  public WindowSchedule withLevel(List<Window> level) {
    List<List<Window>> more = new ArrayList<>(levels);
    more.add(level);
    return new WindowSchedule(more, zone);
  }

  /// Returns whether the device may be changed now, for how long, and otherwise when next.
  public WindowState stateAt(Instant now) {
    List<WindowOpening> next = nextOpenings(1, now);
    if (next.isEmpty()) {
      return new WindowState.Closed(Optional.empty());
    }
    WindowOpening opening = next.getFirst();
    return opening.isOpen(now) ? new WindowState.Open(opening) : new WindowState.Closed(Optional.of(opening));
  }

  /// Returns the first `count` openings that have not closed at `from`, in order, including the one that contains
  /// `from`. Fewer, or none, if no more open within [#HORIZON].
  public List<WindowOpening> nextOpenings(int count, Instant from) {
    IntervalSequence intervalSequence = intervals(from);
    List<WindowOpening> openings = new ArrayList<>();
    while (openings.size() < count) {
      WindowOpening opening = nextOpening(intervalSequence, from);
      if (opening == null) {
        break;
      }
      openings.add(opening);
    }
    return openings;
  }

  /// Returns the first instant, not before `earliest`, at which a device starts.
  ///
  /// Each device has a fixed moment of its own in an opening; after it the device may start at once. So a later call,
  /// with `earliest` not past the result, has the same result. An opening that began longer than [#LOOK_BACK] ago is
  /// not spread.
  public PlannedStart planStart(DeviceId device, Instant earliest, StartRequirements startRequirements) {
    IntervalSequence intervalSequence = intervals(earliest);
    boolean any = false;
    while (true) {
      WindowOpening opening = nextOpening(intervalSequence, earliest);
      if (opening == null || !earliestStart(opening, earliest).isBefore(startRequirements.deadline())) {
        return never(any, earliest, startRequirements);
      }
      any = true;
      Instant start = later(earliest, startWithin(device, opening, startRequirements));
      if (start.isBefore(startRequirements.deadline()) && opening.hasTimeFor(start, startRequirements.requiredTime())) {
        return new PlannedStart.At(start, opening);
      }
    }
  }

  private static Instant startWithin(DeviceId device, WindowOpening opening, StartRequirements startRequirements) {
    if (opening.opens().isEmpty()) {
      return Instant.MIN;
    }
    Instant opens = opening.opens().get();
    long room = Math.min(startRequirements.spread().toSeconds(), seconds(opens, startRequirements.deadline()));
    if (opening.closes().isPresent()) {
      Instant latest = opening.closes().get().minus(startRequirements.requiredTime());
      room = Math.min(room, seconds(opens, latest));
    }
    return room <= 0 ? opens : opens.plusSeconds(StartSpread.offsetSeconds(device, room));
  }

  private static long seconds(Instant from, Instant until) {
    return until.getEpochSecond() - from.getEpochSecond();
  }

  private static PlannedStart never(boolean any, Instant earliest, StartRequirements startRequirements) {
    return any
        ? new PlannedStart.Never(
            PlannedStart.Cause.TOO_SHORT,
            "no opening before %s has %s left for the upgrade"
                .formatted(
                    inSeconds(startRequirements.deadline()), WindowFields.format(startRequirements.requiredTime())))
        : new PlannedStart.Never(
            PlannedStart.Cause.NO_OPENING,
            "not open from %s to %s".formatted(inSeconds(earliest), inSeconds(startRequirements.deadline())));
  }

  private static Instant inSeconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }

  private static Instant earliestStart(WindowOpening opening, Instant earliest) {
    return opening.opens().map(opens -> later(earliest, opens)).orElse(earliest);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private IntervalSequence intervals(Instant from) {
    Instant after = from.minus(LOOK_BACK);
    Instant before = from.plus(HORIZON);
    List<IntervalSequence> open = new ArrayList<>();
    for (List<Window> level : levels) {
      if (!level.isEmpty()) {
        var parts = level.stream().map(window -> new WindowOccurrences(window, zone, after, before)).toList();
        open.add(IntervalSequence.union(parts, before.getEpochSecond()));
      }
    }
    return IntervalSequence.intersection(open);
  }

  private @Nullable WindowOpening nextOpening(IntervalSequence intervalSequence, Instant from) {
    Interval interval = intervalSequence.peek();
    while (interval != null && interval.until() <= from.getEpochSecond()) {
      intervalSequence.skip();
      interval = intervalSequence.peek();
    }
    if (interval == null) {
      return null;
    }
    intervalSequence.skip();
    boolean isOld = interval.from() < from.minus(LOOK_BACK).getEpochSecond();
    return new WindowOpening(
        isOld ? Optional.empty() : Optional.of(Instant.ofEpochSecond(interval.from())),
        interval.until() == Interval.NEVER ? Optional.empty() : Optional.of(Instant.ofEpochSecond(interval.until())),
        zone);
  }
}
