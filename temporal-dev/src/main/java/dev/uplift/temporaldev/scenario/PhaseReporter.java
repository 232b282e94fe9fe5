package dev.uplift.temporaldev.scenario;

import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.TextFormat;
import java.time.Duration;
import java.util.function.Supplier;

/// Prints a line for each finished phase with its duration.
public final class PhaseReporter {
  private static final int NAME_WIDTH = 16;

  private final Screen screen;

  public PhaseReporter(Screen screen) {
    this.screen = screen;
  }

  /// Runs a phase and prints its line.
  ///
  /// @param phase returns a description of its result
  public void run(String name, Supplier<String> phase) {
    long from = System.nanoTime();
    String result = phase.get();
    String duration = TextFormat.formatDuration(Duration.ofNanos(System.nanoTime() - from));
    screen.printLine(
        "  "
            + TextFormat.pad(name, NAME_WIDTH)
            + screen.terminal().dim("%7s".formatted(duration))
            + (result.isEmpty() ? "" : "  " + result));
  }
}
