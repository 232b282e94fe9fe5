package dev.uplift.fleet.rollout.start;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// A device that may be next.
///
/// @param prepared whether it was started ahead of its window, and is to be told to proceed
/// @param groups its value of each label that is limited, as far as it has one
/// @param presence of its hosts
/// @param heldBy the actor of the hold, and the reason
/// @param pinnedBy the pin that is against the release
/// @param busyWith the upgrade or the rollout that it is in
/// @param outrankedBy the rollout that has it first
/// @param notBefore the end of the time between two tries
public record Candidate(
    String device,
    boolean prepared,
    Map<String, String> groups,
    CandidateWindow window,
    CandidatePresence presence,
    Optional<String> heldBy,
    Optional<String> pinnedBy,
    Optional<String> busyWith,
    Optional<String> outrankedBy,
    Optional<Instant> notBefore) {
  public Candidate {
    groups = Map.copyOf(groups);
  }
}
