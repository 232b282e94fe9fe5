package dev.uplift.workflows.policy;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// How a policy stands after devices were looked at.
///
/// @param enabled false: it is disabled or deleted, and everything that it had begun is told to stop
/// @param counts number of looked-at devices by state
/// @param message what was done, for people
/// @param nextChange when a device is due by itself; empty if none is
public record PolicyReport(boolean enabled, Map<String, Integer> counts, String message, Optional<Instant> nextChange) {
  public static PolicyReport disabled(String message) {
    return new PolicyReport(false, Map.of(), message, Optional.empty());
  }
}
