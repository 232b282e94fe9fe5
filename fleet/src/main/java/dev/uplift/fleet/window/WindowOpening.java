package dev.uplift.fleet.window;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/// A time in which a device may be changed, half-open: it includes the instant at which it opens and not the one at
/// which it closes. Openings of one device neither overlap nor touch.
///
/// @param opens empty if it has been open for longer than [WindowSchedule#LOOK_BACK]
/// @param closes empty if it does not close within [WindowSchedule#HORIZON]
/// @param zone the zone in which local times are shown, whatever zones the windows have
public record WindowOpening(Optional<Instant> opens, Optional<Instant> closes, ZoneId zone) {
  private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("EEE uuuu-MM-dd HH:mmxxx", Locale.ENGLISH);

  public Optional<OffsetDateTime> localOpens() {
    return opens.map(this::local);
  }

  public Optional<OffsetDateTime> localCloses() {
    return closes.map(this::local);
  }

  private OffsetDateTime local(Instant instant) {
    return instant.atZone(zone).toOffsetDateTime();
  }

  public boolean isOpen(Instant at) {
    boolean begun = opens.isEmpty() || !at.isBefore(opens.get());
    return begun && hasTimeFor(at, Duration.ZERO);
  }

  /// Returns how long it is still open; empty if it does not close within [WindowSchedule#HORIZON].
  public Optional<Duration> remaining(Instant at) {
    return closes.map(end -> at.isBefore(end) ? Duration.between(at, end) : Duration.ZERO);
  }

  /// Returns whether something that takes `need` would be done when it closes. Without a need, it has to begin before.
  boolean hasTimeFor(Instant at, Duration need) {
    return closes.isEmpty() || (at.isBefore(closes.get()) && !at.plus(need).isAfter(closes.get()));
  }

  /// Describes the opening for people, local and UTC.
  @Override
  public String toString() {
    if (opens.isEmpty() && closes.isEmpty()) {
      return "always open";
    }
    String local = formatRange(localOpens().map(LOCAL::format), localCloses().map(LOCAL::format)) + " " + zone;
    return local + ", " + formatRange(opens.map(Instant::toString), closes.map(Instant::toString));
  }

  private static String formatRange(Optional<String> opens, Optional<String> closes) {
    return opens.orElse("open") + closes.map(text -> (opens.isEmpty() ? " until " : " to ") + text).orElse(" on");
  }
}
