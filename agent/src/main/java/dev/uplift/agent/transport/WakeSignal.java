package dev.uplift.agent.transport;

import java.time.Duration;

/// Wakes a waiting thread. Signals before a wait are remembered, many as one.
public final class WakeSignal {
  private boolean signalled;

  public synchronized void signal() {
    signalled = true;
    notifyAll();
  }

  /// Returns whether it was signalled in time.
  public synchronized boolean await(Duration within) throws InterruptedException {
    long until = System.nanoTime() + within.toNanos();
    while (!signalled) {
      long left = until - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      wait(left / 1_000_000, (int) (left % 1_000_000));
    }
    signalled = false;
    return true;
  }
}
