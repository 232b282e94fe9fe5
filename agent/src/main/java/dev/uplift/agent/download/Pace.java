package dev.uplift.agent.download;

import java.util.function.Consumer;

/// How fast it goes, by the monotonic clock.
final class Pace {
  private static final long SECOND_NS = 1_000_000_000;

  private final Patience patience;
  private final long size;
  private final Consumer<String> progress;
  private long windowStart = System.nanoTime();
  private long windowLength;
  private long told = windowStart;

  Pace(Patience patience, long size, long length, Consumer<String> progress) {
    this.patience = patience;
    this.size = size;
    this.windowLength = length;
    this.progress = progress;
  }

  boolean isTooSlow(long length) {
    long now = System.nanoTime();
    if (now - told >= SECOND_NS) {
      told = now;
      progress.accept("fetched " + (length >> 10) + " of " + (size >> 10) + " KiB");
    }
    long elapsed = now - windowStart;
    if (elapsed < patience.slow().toNanos()) {
      return false;
    }
    double perSecond = (double) (length - windowLength) * SECOND_NS / elapsed;
    windowStart = now;
    windowLength = length;
    return perSecond < patience.slowBytesPerSecond();
  }
}
