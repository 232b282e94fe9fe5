package dev.uplift.services.enrolment;

import dev.uplift.store.command.WaitingActivity;

/// Ends waits of workflows, for services that know no Temporal.
public interface WaitingActivities {
  /// Completes the activity with an error of class `final`. Returns false if it waits no longer.
  ///
  /// @throws RuntimeException if Temporal is unavailable; may be tried again
  boolean fail(WaitingActivity waiting, String code, String message);
}
