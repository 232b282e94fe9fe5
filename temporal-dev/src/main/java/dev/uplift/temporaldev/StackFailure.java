package dev.uplift.temporaldev;

import org.jspecify.annotations.Nullable;

/// Something that the local stack needs is missing or did not come up. The message is for the
/// person in front of it: what is wrong, and what to do.
public final class StackFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  StackFailure(String message) {
    this(message, null);
  }

  StackFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /// Keeps the interrupt for the caller of the caller.
  static StackFailure interrupted(String what, InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new StackFailure("interrupted: " + what, cause);
  }
}
