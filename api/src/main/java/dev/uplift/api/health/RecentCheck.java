package dev.uplift.api.health;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// Asks at most once a second, however many probes come: they need no token. Safe for use by several threads.
final class RecentCheck implements BooleanSupplier {
  private static final long MAX_AGE = Duration.ofSeconds(1).toNanos();

  private final BooleanSupplier check;
  private final LongSupplier nanos;
  private boolean answer;
  private boolean isKnown;
  private long askedAt;

  /// @param nanos the time, as of [System#nanoTime]
  RecentCheck(BooleanSupplier check, LongSupplier nanos) {
    this.check = check;
    this.nanos = nanos;
  }

  @Override
  public synchronized boolean getAsBoolean() {
    if (!isKnown || nanos.getAsLong() - askedAt >= MAX_AGE) {
      answer = check.getAsBoolean();
      askedAt = nanos.getAsLong();
      isKnown = true;
    }
    return answer;
  }
}
