package dev.uplift.services.messaging;

import java.time.Instant;

/// The state of a connection, and since when it has lasted without a break.
public record ConnectionStatus(boolean connected, Instant since) {

  /// Returns whether every message of this whole time could have been received.
  public boolean isConnectedSince(Instant begin) {
    return connected && !since.isAfter(begin);
  }
}
