package dev.uplift.agent.link;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/// Longer and longer pauses, each spread by a fifth so that not all hosts come at once.
public final class Backoff {
  private final Duration first;
  private final Duration longest;
  private Duration next;

  public Backoff(Duration first, Duration longest) {
    this.first = first;
    this.longest = longest;
    this.next = first;
  }

  public Duration next() {
    Duration now = next;
    Duration doubled = now.multipliedBy(2);
    next = doubled.compareTo(longest) < 0 ? doubled : longest;
    return spread(now, 0.2);
  }

  public void reset() {
    next = first;
  }

  /// Anything between `1 - by` and `1 + by` times as long.
  public static Duration spread(Duration duration, double by) {
    double factor = 1 - by + ThreadLocalRandom.current().nextDouble() * 2 * by;
    return Duration.ofNanos((long) (duration.toNanos() * factor));
  }
}
