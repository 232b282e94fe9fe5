package dev.uplift.store.rollout;

import java.time.Instant;
import java.util.Optional;

/// A wave as it stands.
///
/// @param planIndex of its plan in the list of waves, from 0; -1 where nobody wrote one
/// @param size so many devices it has
/// @param approval who said that it may begin, where that had to be
/// @param lastEndedAt when the newest result of one of its devices came
/// @param completedAt when the next one began, or somebody said that it is done
/// @param completedBy who said so, if somebody did
public record WaveRow(
    int number,
    int planIndex,
    String title,
    int size,
    Optional<Approval> approval,
    Optional<Instant> startedAt,
    Optional<Instant> lastEndedAt,
    Optional<Instant> completedAt,
    Optional<String> completedBy) {

  public record Approval(String by, Instant at, String remark) {}
}
