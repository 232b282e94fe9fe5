package dev.uplift.fleet.window;

import dev.uplift.fleet.DeviceId;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// When one device may be touched: where all levels are open.
///
/// A level is the windows of one subject: the device, one of its labels, the rollout. It is open
/// where any of its windows is; openings that overlap or touch are one. A level without windows is
/// always open, so a device on which nobody wrote a window may be touched at any time.
///
/// A value: devices with equal windows and zone have equal answers, which may be kept and shared.
///
/// @param levels in any order
/// @param site the device's zone
public record Windows(List<List<Window>> levels, ZoneId site) {
  /// How far ahead is looked. What does not open within that time is said not to open.
  public static final Duration HORIZON = Duration.ofDays(400);

  /// How far back the beginning of an opening is known.
  public static final Duration LOOK_BACK = Duration.ofDays(8);

  public Windows {
    levels = levels.stream().map(List::copyOf).toList();
  }

  /// Of a device on which nobody wrote a window.
  public static Windows none(ZoneId site) {
    return new Windows(List.of(), site);
  }

  /// The same, cut by the windows of one more subject.
  public Windows and(List<Window> level) {
    List<List<Window>> more = new ArrayList<>(levels);
    more.add(level);
    return new Windows(more, site);
  }

  /// Whether it may be touched now, how long still, and else when next.
  public Now at(Instant now) {
    List<Opening> next = next(1, now);
    if (next.isEmpty()) {
      return new Now.Closed(Optional.empty());
    }
    Opening opening = next.getFirst();
    return opening.isOpen(now) ? new Now.Open(opening) : new Now.Closed(Optional.of(opening));
  }

  /// The first `count` openings that have not closed at `from`, in their order; that in which
  /// `from` is counts. Fewer, or none, if that is all that open within [#HORIZON].
  public List<Opening> next(int count, Instant from) {
    Spans spans = spans(from);
    List<Opening> openings = new ArrayList<>();
    while (openings.size() < count) {
      Opening opening = take(spans, from);
      if (opening == null) {
        break;
      }
      openings.add(opening);
    }
    return openings;
  }

  /// The first instant, not before `earliest`, at which a device starts.
  ///
  /// Each device has a moment of its own in an opening, the same whenever it is asked for; who asks
  /// after it may start at once. So asked again, with `earliest` later but not past the answer, the
  /// answer is the same. What has been open for longer than [#LOOK_BACK] is not spread over.
  public Start start(DeviceId device, Instant earliest, Wanted wanted) {
    Spans spans = spans(earliest);
    boolean any = false;
    while (true) {
      Opening opening = take(spans, earliest);
      if (opening == null || !begin(opening, earliest).isBefore(wanted.deadline())) {
        return never(any, earliest, wanted);
      }
      any = true;
      Instant start = later(earliest, moment(device, opening, wanted));
      if (start.isBefore(wanted.deadline()) && opening.hasAfter(start, wanted.need())) {
        return new Start.At(start, opening);
      }
    }
  }

  private static Instant moment(DeviceId device, Opening opening, Wanted wanted) {
    if (opening.opens().isEmpty()) {
      return Instant.MIN;
    }
    Instant opens = opening.opens().get();
    long room = Math.min(wanted.spread().toSeconds(), seconds(opens, wanted.deadline()));
    if (opening.closes().isPresent()) {
      Instant latest = opening.closes().get().minus(wanted.need());
      room = Math.min(room, seconds(opens, latest));
    }
    return room <= 0 ? opens : opens.plusSeconds(Spread.seconds(device, room));
  }

  private static long seconds(Instant from, Instant until) {
    return until.getEpochSecond() - from.getEpochSecond();
  }

  private static Start never(boolean any, Instant earliest, Wanted wanted) {
    return any
        ? new Start.Never(
            Start.Why.TOO_SHORT,
            "no opening before %s has %s left for the upgrade"
                .formatted(wanted.deadline(), WindowFields.text(wanted.need())))
        : new Start.Never(
            Start.Why.NO_OPENING, "not open from %s to %s".formatted(earliest, wanted.deadline()));
  }

  private static Instant begin(Opening opening, Instant earliest) {
    return opening.opens().map(opens -> later(earliest, opens)).orElse(earliest);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private Spans spans(Instant from) {
    Instant after = from.minus(LOOK_BACK);
    Instant before = from.plus(HORIZON);
    List<Spans> open = new ArrayList<>();
    for (List<Window> level : levels) {
      if (!level.isEmpty()) {
        var parts =
            level.stream().map(window -> new Occurrences(window, site, after, before)).toList();
        open.add(new Union(parts, before.getEpochSecond()));
      }
    }
    return open.isEmpty() ? new Always() : new Intersection(open);
  }

  private @Nullable Opening take(Spans spans, Instant from) {
    Span span = spans.peek();
    while (span != null && span.until() <= from.getEpochSecond()) {
      spans.drop();
      span = spans.peek();
    }
    if (span == null) {
      return null;
    }
    spans.drop();
    boolean isOld = span.from() < from.minus(LOOK_BACK).getEpochSecond();
    return new Opening(
        isOld ? Optional.empty() : Optional.of(Instant.ofEpochSecond(span.from())),
        span.until() == Span.NEVER
            ? Optional.empty()
            : Optional.of(Instant.ofEpochSecond(span.until())),
        site);
  }
}
