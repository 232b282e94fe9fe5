package dev.uplift.store.reconciler;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;

/// A workflow that does not continue because its task fails again and again: a defect of this version, or a history of
/// another version that this one cannot replay.
///
/// @param failingSince when the task failed for the first time
/// @param error of the last failure that Temporal recorded
@MappedEntity("failing_workflow")
public record FailingWorkflow(String tenant, @Id String workflowId, Instant failingSince, int attempts, String error) {
  /// For people.
  public String describe() {
    return "its workflow does not continue: its task has failed %d times since %s: %s"
        .formatted(attempts, failingSince, error);
  }
}
