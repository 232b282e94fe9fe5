package dev.uplift.api.notify;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Runs a task per key in the background, once for all requests that come within a delay.
final class CoalescingExecutor<K> {
  private final Duration delay;
  private final Consumer<K> task;
  private final Set<K> requested = ConcurrentHashMap.newKeySet();

  /// Does not keep the process alive.
  private final ScheduledExecutorService timer =
      new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name("coalescing").factory());

  /// @param task may block
  CoalescingExecutor(Duration delay, Consumer<K> task) {
    this.delay = delay;
    this.task = task;
  }

  /// Runs the task for the key after the delay. It sees everything that was done before this call.
  void request(K key) {
    if (requested.add(key)) {
      var _ = timer.schedule(() -> Thread.ofVirtual().start(() -> run(key)), delay.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void run(K key) {
    // Before the task: a request that comes while it runs is another one.
    requested.remove(key);
    task.accept(key);
  }
}
