package dev.uplift.temporaldev.scenario;

import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.TextFormat;
import java.time.Duration;
import java.util.function.Supplier;

/// A line for each phase once it is done, with its time.
public final class PhaseReporter {
  private static final int NAME_WIDTH = 16;

  private final Screen screen;

  public PhaseReporter(Screen screen) {
    this.screen = screen;
  }

  /// Runs it now, and says so when it is done.
  ///
  /// @param phase does it, and says what came of it
  public void run(String name, Supplier<String> phase) {
    long from = System.nanoTime();
    String what = phase.get();
    String took = TextFormat.formatDuration(Duration.ofNanos(System.nanoTime() - from));
    screen.printLine(
        "  "
            + TextFormat.pad(name, NAME_WIDTH)
            + screen.terminal().dim("%7s".formatted(took))
            + (what.isEmpty() ? "" : "  " + what));
  }
}
