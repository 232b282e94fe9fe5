package dev.uplift.agent.transport;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Wakes a waiting thread. Signals before a wait are remembered, many as one.
///
/// No virtual thread waits by `Object.wait`: before Java 25.0.4 one that was notified and waits once more may wait for
/// ever, also where that wait has a limit (JDK-8373120).
public final class WakeSignal {
  private final Semaphore signals = new Semaphore(0);

  public void signal() {
    signals.release();
  }

  /// Returns once it is signalled.
  public void await() throws InterruptedException {
    signals.acquire();
    signals.drainPermits();
  }

  /// Returns whether it was signalled in time.
  public boolean await(Duration within) throws InterruptedException {
    boolean isSignalled = signals.tryAcquire(within.toNanos(), TimeUnit.NANOSECONDS);
    signals.drainPermits();
    return isSignalled;
  }
}
