package dev.uplift.activities.temporal;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.services.enrolment.WaitingActivities;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.workflows.device.StepResult;
import io.temporal.client.ActivityCompletionClient;
import io.temporal.client.ActivityCompletionException;
import io.temporal.client.ActivityNotExistsException;
import java.util.Optional;

/// Ends the waits of workflows.
public final class ActivityCompleter implements WaitingActivities {
  private final ActivityCompletionClient client;

  public ActivityCompleter(TemporalClients temporal) {
    this.client = temporal.requestClient().newActivityCompletionClient();
  }

  /// The wait returns this answer. Always as a result, failures too: a failure by id is refused
  /// while the activity is between two attempts, and would look like a second answer.
  ///
  /// Returns false when nobody waits any more: answered before, timed out, cancelled, or over.
  ///
  /// @throws TemporalUnavailable when it may or may not have ended
  public boolean complete(String workflowId, String activityId, StepResult stepResult) {
    try {
      client.complete(workflowId, Optional.empty(), activityId, stepResult);
      return true;
    } catch (ActivityNotExistsException _) {
      return false;
    } catch (ActivityCompletionException e) {
      throw TemporalClients.unavailable(e);
    }
  }

  @Override
  public boolean fail(WaitingActivity waiting, String code, String message) {
    return complete(
        waiting.workflowId(),
        waiting.activityId(),
        new StepResult.Failed(code, ErrorClass.FINAL, message));
  }
}
