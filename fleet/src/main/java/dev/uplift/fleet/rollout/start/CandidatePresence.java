package dev.uplift.fleet.rollout.start;

import java.time.Instant;

/// Whether a device is heard, which it has to be before anything is begun on it.
public sealed interface CandidatePresence {
  /// All its hosts are.
  record Heard() implements CandidatePresence {}

  /// One of its hosts is not.
  ///
  /// @param since the last heartbeat of the host, or when this server began to listen
  record Offline(String host, Instant since) implements CandidatePresence {
    /// For people.
    public String describe(String device) {
      return "%s: %s is not heard since %s".formatted(device, host, since);
    }
  }

  /// This server could not have heard one of its hosts.
  ///
  /// @param reason a sentence
  record Unknown(String host, String reason) implements CandidatePresence {}
}
