package dev.uplift.temporaldev.process;

import dev.uplift.cli.rest.CliException;
import org.jspecify.annotations.Nullable;

/// Something that the local stack needs is missing or did not start. The message says to a person what is wrong and
/// what to do.
public final class StackException extends CliException {
  private static final long serialVersionUID = 1;

  public StackException(String message) {
    this(message, null);
  }

  public StackException(String message, @Nullable Throwable cause) {
    super(FAILED, message, cause);
  }

  /// Keeps the thread's interrupt flag set.
  public static StackException interrupted(String task, InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new StackException("interrupted: " + task, cause);
  }
}
