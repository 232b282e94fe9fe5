package dev.uplift.cli.rest;

import java.time.Duration;

/// Sleeps while other processes work.
public final class Sleeper {
  private Sleeper() {}

  public static void sleep(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      throw CliException.interrupted(e);
    }
  }
}
