package dev.uplift.agent.report;

import dev.uplift.agent.driver.PackageState;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Asks one driver, one question at a time. Who asks while one is under way waits for the next, for
/// that one may have looked before.
final class PackageProbe {
  private final Supplier<PackageState> inspect;
  private @Nullable Run running;
  private @Nullable Run next;

  /// One question, that all who asked in time wait for.
  static final class Run extends FutureTask<PackageState> {
    private Run(Supplier<PackageState> inspect) {
      super(inspect::get);
    }
  }

  PackageProbe(Supplier<PackageState> inspect) {
    this.inspect = inspect;
  }

  synchronized Run request() {
    Run waiting = next;
    if (waiting != null) {
      return waiting;
    }
    Run fresh = new Run(inspect);
    if (running == null) {
      start(fresh);
    } else {
      next = fresh;
    }
    return fresh;
  }

  private synchronized void start(Run run) {
    running = run;
    Thread.ofVirtual()
        .name("inspect")
        .start(() -> {
          run.run();
          finished();
        });
  }

  private synchronized void finished() {
    Run waiting = next;
    running = null;
    next = null;
    if (waiting != null) {
      start(waiting);
    }
  }
}
