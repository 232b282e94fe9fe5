package dev.uplift.services.messaging;

import java.time.Instant;

/// Whether we are connected, and since when that is so without a break.
public record ConnectionStatus(boolean connected, Instant since) {

  /// Whether we could have heard everything that was said in the whole of this time.
  public boolean isConnectedSince(Instant begin) {
    return connected && !since.isAfter(begin);
  }
}
