package dev.uplift.temporaldev.process;

import org.jspecify.annotations.Nullable;

/// Something that the local stack needs is missing or did not come up. The message is for the
/// person in front of it: what is wrong, and what to do.
public final class StackException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StackException(String message) {
    this(message, null);
  }

  public StackException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /// Keeps the interrupt for the caller of the caller.
  public static StackException interrupted(String what, InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new StackException("interrupted: " + what, cause);
  }
}
