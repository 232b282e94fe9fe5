package dev.uplift.fleet.rollout.plan;

import java.time.Instant;

/// The condition for the begin of a wave, once the wave before it is done.
public sealed interface Gate {
  /// Nothing.
  record Automatic() implements Gate {}

  /// Another person than the author of the rollout says so.
  record Approval() implements Gate {}

  /// A time comes.
  record Time(Instant notBefore) implements Gate {}
}
