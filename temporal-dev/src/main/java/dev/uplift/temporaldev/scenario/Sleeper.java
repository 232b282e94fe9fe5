package dev.uplift.temporaldev.scenario;

import dev.uplift.cli.rest.CliException;
import java.time.Duration;

/// Sleeps while other processes work.
public final class Sleeper {
  private Sleeper() {}

  public static void sleep(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CliException(CliException.FAILED, "interrupted", e);
    }
  }
}
