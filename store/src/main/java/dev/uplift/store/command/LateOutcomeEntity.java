package dev.uplift.store.command;

import io.micronaut.core.annotation.Introspected;
import java.time.Instant;

/// A row of `late_outcome`.
@Introspected
record LateOutcomeEntity(String command, String outcome, Instant receivedAt) {
  TimelineEntry.LateOutcome toLateOutcome() {
    return new TimelineEntry.LateOutcome(outcome, receivedAt);
  }
}
