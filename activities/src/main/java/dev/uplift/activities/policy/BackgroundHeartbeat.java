package dev.uplift.activities.policy;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Sends heartbeats while an activity does something that has no place to send them.
final class BackgroundHeartbeat {
  private BackgroundHeartbeat() {}

  /// Returns the result of `work`, which a cancellation of the activity does not end: the heartbeat that hears of it is
  /// the last one.
  static <T> T during(Duration interval, Runnable heartbeat, Supplier<T> work) {
    try (ScheduledExecutorService executor =
        Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().name("policy-heartbeat").factory())) {
      Future<?> _ =
          executor.scheduleAtFixedRate(heartbeat, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
      return work.get();
    }
  }
}
