package dev.uplift.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A command for people to read: without its text.
///
/// @param cancelledBy id of the command that cancels it
/// @param late what the agent said after its first outcome
public record TimelineEntry(
    CommandKey key,
    String id,
    long epoch,
    boolean withdrawn,
    Optional<String> cancelledBy,
    Optional<String> outcome,
    Optional<String> progress,
    CommandTimes times,
    List<Late> late) {
  public TimelineEntry {
    late = List.copyOf(late);
  }

  /// An outcome that came too late to count.
  public record Late(String outcome, Instant at) {}
}
