package dev.uplift.fleet.barrier;

import java.util.Optional;

/// The next step of a barrier while its hosts are halting.
public sealed interface BarrierDecision {
  /// It waits for the hosts that have not answered.
  record AwaitHosts() implements BarrierDecision {}

  /// The migration begins.
  record Migrate() implements BarrierDecision {}

  /// Everybody resumes, and nothing is migrated.
  ///
  /// @param reason for people
  record Release(String reason) implements BarrierDecision {}

  /// Decides. Once the deadline is past, no host is pending.
  ///
  /// @param abortedBy who has aborted it
  static BarrierDecision of(
      BarrierCounts counts, boolean isDeadlinePast, WhenNotHalted whenNotHalted, Optional<String> abortedBy) {
    if (abortedBy.isPresent()) {
      return new Release("aborted by " + abortedBy.get());
    }
    boolean mayContinue = whenNotHalted == WhenNotHalted.CONTINUE;
    if (counts.missing() > 0 && !mayContinue) {
      return new Release("%d of %d hosts have not halted".formatted(counts.missing(), counts.hosts()));
    }
    if (counts.pending() > 0 && !isDeadlinePast) {
      return new AwaitHosts();
    }
    if (counts.pending() > 0 && !mayContinue) {
      return new Release("%d of %d hosts have not halted".formatted(counts.pending(), counts.hosts()));
    }
    return counts.halted() == 0 ? new Release("no host has halted") : new Migrate();
  }
}
