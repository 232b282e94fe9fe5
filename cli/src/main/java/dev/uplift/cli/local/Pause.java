package dev.uplift.cli.local;

import dev.uplift.cli.rest.CommandFailed;
import java.time.Duration;

/// A while in which others do something.
public final class Pause {
  private Pause() {}

  public static void of(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed(CommandFailed.REFUSED, "interrupted", e);
    }
  }
}
