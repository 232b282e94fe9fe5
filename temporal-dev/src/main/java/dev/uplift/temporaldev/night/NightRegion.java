package dev.uplift.temporaldev.night;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/// A region with a time zone and a maintenance window of its own. In the order in which their windows open.
public enum NightRegion {
  PACIFIC("Australia/Lord_Howe", 0),
  ASIA("Asia/Kolkata", 1),
  EUROPE("Europe/Berlin", 2),
  AFRICA("Africa/Casablanca", 3),
  AMERICA("America/New_York", 4);

  private static final DateTimeFormatter LOCAL_TIME = DateTimeFormatter.ofPattern("HH:mm");

  private static final int LAST_QUARTER = 4;

  private final String zone;
  private final int quarter;

  /// @param quarter how many quarters of the span between the first opening and the last have passed at its own
  NightRegion(String zone, int quarter) {
    this.zone = zone;
    this.quarter = quarter;
  }

  String zone() {
    return zone;
  }

  /// Returns when its window opens: that of the first region at the full minute before the evening, the others at full
  /// minutes after it.
  ///
  /// @param span from the first opening to the last
  Instant opening(Instant evening, Duration span) {
    long minutes = span.toMinutes() * quarter / LAST_QUARTER;
    return evening.truncatedTo(ChronoUnit.MINUTES).plus(Duration.ofMinutes(minutes));
  }

  /// Returns the local time, as windows have it.
  String localTime(Instant at) {
    return LOCAL_TIME.format(at.atZone(ZoneId.of(zone)));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
