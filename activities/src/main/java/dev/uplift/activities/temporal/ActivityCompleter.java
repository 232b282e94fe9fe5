package dev.uplift.activities.temporal;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.services.enrolment.WaitingActivities;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.workflows.device.StepResult;
import io.temporal.client.ActivityCompletionClient;
import io.temporal.client.ActivityCompletionException;
import io.temporal.client.ActivityNotExistsException;
import io.temporal.failure.ApplicationFailure;
import jakarta.inject.Singleton;
import java.util.Optional;

/// Completes activities of workflows that wait for a host.
@Singleton
public final class ActivityCompleter implements WaitingActivities {
  private final ActivityCompletionClient client;

  public ActivityCompleter(TemporalClients temporal) {
    this.client = temporal.requestClient().newActivityCompletionClient();
  }

  /// Completes the activity with this result; with a failure if the host has failed, so that Temporal's tools show the
  /// step as failed. Temporal refuses a failure while the activity is between two attempts: then the failure is the
  /// result, which means the same ([StepResult]).
  ///
  /// Returns false if the activity waits no longer: completed before, timed out, cancelled, or its workflow has ended.
  ///
  /// @throws TemporalUnavailable if it may or may not have been completed
  public boolean complete(String workflowId, String activityId, StepResult stepResult) {
    boolean failed =
        stepResult instanceof StepResult.Failed failure
            && call(() -> client.completeExceptionally(workflowId, Optional.empty(), activityId, failure.toFailure()));
    return failed || call(() -> client.complete(workflowId, Optional.empty(), activityId, stepResult));
  }

  /// Fails the attempt that a server was given, so that Temporal gives the next one to a server that works. Returns
  /// false if the activity waits no longer.
  ///
  /// @throws TemporalUnavailable if it may or may not have failed
  public boolean failAttempt(WaitingActivity waiting, String message) {
    ApplicationFailure failure = ApplicationFailure.newFailure(message, "Stalled");
    return call(
        () -> client.completeExceptionally(waiting.workflowId(), Optional.empty(), waiting.activityId(), failure));
  }

  private static boolean call(Runnable completion) {
    try {
      completion.run();
      return true;
    } catch (ActivityNotExistsException _) {
      return false;
    } catch (ActivityCompletionException e) {
      throw TemporalClients.unavailable(e);
    }
  }

  @Override
  public boolean fail(WaitingActivity waiting, String code, String message) {
    return complete(waiting.workflowId(), waiting.activityId(), new StepResult.Failed(code, ErrorClass.FINAL, message));
  }
}
