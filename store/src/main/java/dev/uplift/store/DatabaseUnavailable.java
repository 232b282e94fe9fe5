package dev.uplift.store;

import org.jspecify.annotations.Nullable;

/// The database cannot be reached at the moment. Nothing of the call was done, or all of it was: the connection may
/// have ended while it answered. Every call of this package is safe to repeat.
public final class DatabaseUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1;

  DatabaseUnavailable(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
