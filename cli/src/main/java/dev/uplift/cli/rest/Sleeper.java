package dev.uplift.cli.rest;

import java.time.Duration;

/// Pauses while other processes work.
public final class Sleeper {
  private Sleeper() {}

  /// Blocks for this time; zero and less: not at all.
  ///
  /// @throws CliException if the thread is interrupted
  public static void sleep(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      throw CliException.interrupted(e);
    }
  }
}
