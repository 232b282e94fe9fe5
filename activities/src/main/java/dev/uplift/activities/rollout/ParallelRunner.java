package dev.uplift.activities.rollout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs an action for many items, some at a time.
final class ParallelRunner {
  private static final int MAX_CONCURRENT = 16;

  private ParallelRunner() {}

  /// Runs it for all items, even if it fails for some, and then throws the first failure.
  ///
  /// @param heartbeat called every second meanwhile; an exception of it ends the waiting
  static <T> void run(List<T> all, Consumer<T> each, Runnable heartbeat) {
    if (all.isEmpty()) {
      return;
    }
    var room = new Semaphore(MAX_CONCURRENT);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> under = new ArrayList<>();
      all.forEach(one -> under.add(threads.submit(() -> runLimited(room, one, each))));
      await(under, threads, heartbeat);
    }
  }

  private static <T> void runLimited(Semaphore room, T one, Consumer<T> each) {
    room.acquireUninterruptibly();
    try {
      each.accept(one);
    } finally {
      room.release();
    }
  }

  private static void await(List<Future<?>> under, ExecutorService threads, Runnable heartbeat) {
    RuntimeException first = null;
    try {
      for (Future<?> one : under) {
        RuntimeException failed = await(one, heartbeat);
        first = first == null ? failed : first;
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    if (first != null) {
      throw first;
    }
  }

  private static @Nullable RuntimeException await(Future<?> one, Runnable heartbeat)
      throws InterruptedException {
    while (true) {
      try {
        one.get(1, TimeUnit.SECONDS);
        return null;
      } catch (TimeoutException _) {
        heartbeat.run();
      } catch (ExecutionException e) {
        return e.getCause() instanceof RuntimeException known
            ? known
            : new IllegalStateException(e.getCause());
      }
    }
  }
}
