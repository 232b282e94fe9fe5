package dev.uplift.services.messaging;

import org.jspecify.annotations.Nullable;

/// NATS cannot be reached or did not confirm. The request may or may not have been carried out; it may be repeated.
public final class NatsUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1;

  public NatsUnavailable(String text, @Nullable Throwable cause) {
    super(text, cause);
  }
}
