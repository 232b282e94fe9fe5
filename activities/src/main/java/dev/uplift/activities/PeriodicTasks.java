package dev.uplift.activities;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is done again and again, each on a thread of its own. A round that fails is logged, and the
/// next one comes all the same.
final class PeriodicTasks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeriodicTasks.class);

  private final List<Thread> threads = new ArrayList<>();

  /// Begins after one pause.
  ///
  /// @param pause between the end of one round and the beginning of the next
  void schedule(Duration pause, String name, Runnable round) {
    threads.add(
        Thread.ofVirtual()
            .name(name)
            .start(() -> {
              while (pause(pause)) {
                run(name, round);
              }
            }));
  }

  private static void run(String name, Runnable round) {
    try {
      round.run();
    } catch (RuntimeException e) {
      LOG.warn("{} failed and comes again: {}", name, e.toString());
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

  /// Returns when no round is under way.
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
