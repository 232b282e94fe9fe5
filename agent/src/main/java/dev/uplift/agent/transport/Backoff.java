package dev.uplift.agent.transport;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/// Longer and longer pauses, each spread by a fifth so that not all hosts come at once.
public final class Backoff {
  private static final double JITTER = 0.2;
  private static final int MAX_DOUBLINGS = 20;

  private final Duration first;
  private final Duration max;
  private long tries;

  public Backoff(Duration first, Duration max) {
    this.first = first;
    this.max = max;
  }

  public Duration next() {
    return jitter(exponential(first, max, tries++), JITTER);
  }

  public void reset() {
    tries = 0;
  }

  /// The pause after so many tries, 0 or more: doubled each time, up to the longest.
  static Duration exponential(Duration first, Duration longest, long tries) {
    Duration doubled = first.multipliedBy(1L << Math.min(tries, MAX_DOUBLINGS));
    return doubled.compareTo(longest) < 0 ? doubled : longest;
  }

  /// Anything between `1 - by` and `1 + by` times as long.
  public static Duration jitter(Duration duration, double by) {
    double factor = 1 - by + ThreadLocalRandom.current().nextDouble() * 2 * by;
    return Duration.ofNanos((long) (duration.toNanos() * factor));
  }
}
