package dev.uplift.store.command;

import io.micronaut.core.annotation.Introspected;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A command of an upgrade, with the outcomes that the agent reported after the first one.
public record TimelineEntry(CommandRow row, List<LateOutcome> lateOutcomes) {
  public TimelineEntry {
    lateOutcomes = List.copyOf(lateOutcomes);
  }

  /// An outcome that came too late to count.
  ///
  /// @param command id of its command
  /// @param log the end of the log that came with it
  @Introspected
  public record LateOutcome(String command, String outcome, Instant receivedAt, @Nullable String log) {}
}
