package dev.uplift.fleet.rollout;

import java.time.Instant;

/// What the windows of a device say at the moment.
public sealed interface WindowFact {
  /// It has none, so it may always.
  record Always() implements WindowFact {}

  /// One is open.
  record Open(Instant closes) implements WindowFact {}

  /// None is open, and the next one opens then.
  record Closed(Instant opens) implements WindowFact {}

  /// None opens before the deadline.
  record Never() implements WindowFact {}
}
