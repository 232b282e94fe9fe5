package dev.uplift.fleet.window;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/// One time in which a device may be touched: from the instant at which it opens to just before the
/// one at which it closes. Openings of one device neither overlap nor touch.
///
/// @param opens empty if it has been open for longer than [WindowSchedule#LOOK_BACK]
/// @param closes empty if it does not close within [WindowSchedule#HORIZON]
/// @param zone the zone that local times are told in, whatever zones the windows were written in
public record Opening(Optional<Instant> opens, Optional<Instant> closes, ZoneId zone) {
  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("EEE uuuu-MM-dd HH:mmxxx", Locale.ENGLISH);

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

  /// How long it is still open; empty if it does not close within [WindowSchedule#HORIZON].
  public Optional<Duration> remaining(Instant at) {
    return closes.map(end -> at.isBefore(end) ? Duration.between(at, end) : Duration.ZERO);
  }

  /// Whether something that takes `need` is done when it closes. What takes no time has to begin
  /// before.
  boolean hasTimeFor(Instant at, Duration need) {
    return closes.isEmpty() || (at.isBefore(closes.get()) && !at.plus(need).isAfter(closes.get()));
  }

  /// For people, local and UTC.
  @Override
  public String toString() {
    if (opens.isEmpty() && closes.isEmpty()) {
      return "always open";
    }
    String local =
        formatRange(localOpens().map(LOCAL::format), localCloses().map(LOCAL::format)) + " " + zone;
    return local + ", " + formatRange(opens.map(Instant::toString), closes.map(Instant::toString));
  }

  private static String formatRange(Optional<String> opens, Optional<String> closes) {
    return opens.orElse("open")
        + closes.map(text -> (opens.isEmpty() ? " until " : " to ") + text).orElse(" on");
  }
}
