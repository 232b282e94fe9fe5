package dev.uplift.activities.nats;

import java.time.Instant;

/// Whether we are connected, and since when that is so without a break.
public record LinkState(boolean up, Instant since) {

  /// Whether we could have heard everything that was said in the whole of this time.
  public boolean heardAllSince(Instant begin) {
    return up && !since.isAfter(begin);
  }
}
