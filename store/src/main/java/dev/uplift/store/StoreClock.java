package dev.uplift.store;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/// The time as the tables keep it, to the millisecond, so that a row that was written equals the row that is read.
public final class StoreClock {
  /// Later than every time in the tables. A range has two ends, or H2 reads rows without a value, too.
  public static final Instant END_OF_TIME = Instant.parse("9999-01-01T00:00:00Z");

  private final InstantSource clock;

  StoreClock(InstantSource clock) {
    this.clock = clock;
  }

  public Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
