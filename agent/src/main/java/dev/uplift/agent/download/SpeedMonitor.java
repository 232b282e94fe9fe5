package dev.uplift.agent.download;

import java.util.function.Consumer;

/// How fast it goes, by the monotonic clock.
final class SpeedMonitor {
  private static final long SECOND_NS = 1_000_000_000;

  private final DownloadTimeouts timeouts;
  private final long size;
  private final Consumer<String> progress;
  private long windowStart = System.nanoTime();
  private long windowLength;
  private long lastReported = windowStart;

  SpeedMonitor(DownloadTimeouts timeouts, long size, long length, Consumer<String> progress) {
    this.timeouts = timeouts;
    this.size = size;
    this.windowLength = length;
    this.progress = progress;
  }

  boolean isTooSlow(long length) {
    long now = System.nanoTime();
    if (now - lastReported >= SECOND_NS) {
      lastReported = now;
      progress.accept("fetched " + (length >> 10) + " of " + (size >> 10) + " KiB");
    }
    long elapsed = now - windowStart;
    if (elapsed < timeouts.slowFor().toNanos()) {
      return false;
    }
    double perSecond = (double) (length - windowLength) * SECOND_NS / elapsed;
    windowStart = now;
    windowLength = length;
    return perSecond < timeouts.minBytesPerSecond();
  }
}
