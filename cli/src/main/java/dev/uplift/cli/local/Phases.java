package dev.uplift.cli.local;

import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Text;
import java.time.Duration;
import java.util.function.Supplier;

/// A line for each phase once it is done, with its time.
public final class Phases {
  private static final int NAMES = 16;

  private final Screen screen;

  public Phases(Screen screen) {
    this.screen = screen;
  }

  /// Runs it now, and says so when it is done.
  ///
  /// @param phase does it, and says what came of it
  public void run(String name, Supplier<String> phase) {
    long from = System.nanoTime();
    String what = phase.get();
    String took = Text.of(Duration.ofNanos(System.nanoTime() - from));
    screen.say(
        "  "
            + Text.pad(name, NAMES)
            + screen.terminal().dim("%7s".formatted(took))
            + (what.isEmpty() ? "" : "  " + what));
  }
}
