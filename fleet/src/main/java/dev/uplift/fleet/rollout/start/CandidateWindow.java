package dev.uplift.fleet.rollout.start;

import java.time.Instant;

/// The state of the windows of a device.
public sealed interface CandidateWindow {
  /// It has none, so it may always.
  record Always() implements CandidateWindow {}

  /// One is open.
  record Open(Instant closes) implements CandidateWindow {}

  /// None is open, and the next one opens then.
  record Closed(Instant opens) implements CandidateWindow {}

  /// None opens before the deadline.
  record Never() implements CandidateWindow {}
}
