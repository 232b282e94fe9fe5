package dev.uplift.store;

import java.time.Instant;
import java.util.Optional;

/// A wave as it stands.
///
/// @param place of its plan in the list of waves, from 0; -1 where nobody wrote one
/// @param size so many devices it has
/// @param approval who said that it may begin, where that had to be
/// @param lastEndedAt when the newest verdict of one of its devices came
/// @param doneAt when the next one began, or somebody said that it is done
/// @param doneBy who said so, if somebody did
public record WaveRow(
    int number,
    int place,
    String title,
    int size,
    Optional<Approval> approval,
    Optional<Instant> beganAt,
    Optional<Instant> lastEndedAt,
    Optional<Instant> doneAt,
    Optional<String> doneBy) {

  public record Approval(String by, Instant at, String remark) {}
}
