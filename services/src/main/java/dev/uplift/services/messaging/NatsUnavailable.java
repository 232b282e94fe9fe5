package dev.uplift.services.messaging;

import org.jspecify.annotations.Nullable;

/// NATS cannot be reached or did not confirm. Nothing is known about what was to be done; it may be
/// done again.
public final class NatsUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1;

  public NatsUnavailable(String text, @Nullable Throwable cause) {
    super(text, cause);
  }
}
