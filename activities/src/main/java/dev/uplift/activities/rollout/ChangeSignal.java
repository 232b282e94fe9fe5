package dev.uplift.activities.rollout;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Is rung when something has happened to a rollout in this process. What happens on another server
/// rings none, so who waits for it looks again after a while all the same.
final class ChangeSignal {
  private long changeCount;

  synchronized void notifyChanged() {
    changeCount++;
    notifyAll();
  }

  /// How often it was rung.
  synchronized long changeCount() {
    return changeCount;
  }

  /// Returns when it was rung more than `heard` times, or after so long at the latest; whether it
  /// was.
  synchronized boolean await(long heard, Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    for (long left = atMost.toNanos(); changeCount <= heard && left > 0; left = end - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return changeCount > heard;
  }
}
