package dev.uplift.store;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// A clock that only a test advances.
public final class ManualClock implements InstantSource {
  static final Instant START = Instant.parse("2026-11-20T10:00:00.123Z");

  private volatile Instant now = START;

  @Override
  public Instant instant() {
    return now;
  }

  void set(Instant time) {
    now = time;
  }

  /// Returns the new time.
  public Instant advance(Duration time) {
    now = now.plus(time);
    return now;
  }
}
