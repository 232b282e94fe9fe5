package dev.uplift.store.command;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A command for people to read: without its text.
///
/// @param cancelledBy id of the command that cancels it
/// @param lateOutcomes what the agent said after its first outcome
public record TimelineEntry(
    CommandKey key,
    String id,
    long epoch,
    boolean withdrawn,
    Optional<String> cancelledBy,
    Optional<String> outcome,
    Optional<String> progress,
    CommandTimes times,
    List<LateOutcome> lateOutcomes) {
  public TimelineEntry {
    lateOutcomes = List.copyOf(lateOutcomes);
  }

  /// An outcome that came too late to count.
  public record LateOutcome(String outcome, Instant receivedAt) {}
}
