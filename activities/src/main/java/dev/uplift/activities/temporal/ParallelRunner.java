package dev.uplift.activities.temporal;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Makes calls to Temporal for many items, some at a time.
public final class ParallelRunner {
  private static final int MAX_CONCURRENT = 16;

  private ParallelRunner() {}

  /// Runs it for all items, even if it fails for some, and then throws the first failure.
  ///
  /// @param heartbeat called every second meanwhile; an exception of it ends the waiting
  public static <T> void run(List<T> all, Consumer<T> each, Runnable heartbeat) {
    if (all.isEmpty()) {
      return;
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(MAX_CONCURRENT, Thread.ofVirtual().factory())) {
      List<? extends Future<?>> results = all.stream().map(one -> threads.submit(() -> each.accept(one))).toList();
      threads.shutdown();
      awaitEnd(threads, heartbeat);
      results.stream()
          .filter(result -> result.state() == Future.State.FAILED)
          .findFirst()
          .map(Future::exceptionNow)
          .ifPresent(failure -> {
            throw failure instanceof RuntimeException known ? known : new IllegalStateException(failure);
          });
    }
  }

  private static void awaitEnd(ExecutorService threads, Runnable heartbeat) {
    try {
      while (!threads.awaitTermination(1, TimeUnit.SECONDS)) {
        heartbeat.run();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
