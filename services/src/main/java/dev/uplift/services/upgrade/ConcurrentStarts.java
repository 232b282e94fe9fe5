package dev.uplift.services.upgrade;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Limits how many upgrades this server starts at the same time, for requests and rollouts together, to one for each
/// processor; the others wait, first come, first served. Starts share the processors with the upgrades that run, so the
/// fewer begin at once, the sooner these get their next command.
@Singleton
public final class ConcurrentStarts {
  /// Where there is one processor: a start that waits for the database or for Temporal leaves it to another.
  private static final int LEAST = 2;

  private final Semaphore permits;

  @Inject
  public ConcurrentStarts() {
    this(Math.max(LEAST, Runtime.getRuntime().availableProcessors()));
  }

  ConcurrentStarts(int max) {
    this.permits = new Semaphore(max, true);
  }

  /// Runs the start when its turn comes.
  ///
  /// @throws IllegalStateException if the thread is interrupted; then it was not run
  public void run(Runnable start) {
    try {
      permits.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    var _ =
        runAndRelease(() -> {
          start.run();
          return true;
        });
  }

  /// Runs the start if its turn comes within this time. Empty if not, or if the thread is interrupted; then it was not
  /// run.
  public <T> Optional<T> tryRun(Duration within, Supplier<T> start) {
    return acquire(within) ? Optional.of(runAndRelease(start)) : Optional.empty();
  }

  private <T> T runAndRelease(Supplier<T> start) {
    try {
      return start.get();
    } finally {
      permits.release();
    }
  }

  private boolean acquire(Duration within) {
    try {
      return permits.tryAcquire(within.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
