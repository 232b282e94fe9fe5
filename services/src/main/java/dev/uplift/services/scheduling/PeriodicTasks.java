package dev.uplift.services.scheduling;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tasks that run periodically, each on a thread of its own. A run that fails is logged, and the next one comes
/// nevertheless.
///
/// Not Micronaut's `@Scheduled`: closing it must wait for the run in progress, at its place in the order in which a
/// server closes.
public final class PeriodicTasks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeriodicTasks.class);

  private final List<Thread> threads = new ArrayList<>();

  /// Starts after one pause.
  ///
  /// @param pause between the end of one run and the start of the next
  public PeriodicTasks schedule(Duration pause, String name, Runnable task) {
    threads.add(
        Thread.ofVirtual()
            .name(name)
            .start(() -> {
              while (pause(pause)) {
                run(name, task);
              }
            }));
    return this;
  }

  private static void run(String name, Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      LOG.warn("{} failed and runs again later: {}", name, e.toString());
    }
  }

  private static boolean pause(Duration pause) {
    try {
      Thread.sleep(pause);
      return true;
    } catch (InterruptedException _) {
      return false;
    }
  }

  /// Returns when no task is running.
  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      try {
        thread.join(Duration.ofSeconds(10));
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
