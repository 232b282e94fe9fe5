package dev.uplift.activities.temporal;

import dev.uplift.workflows.device.Answer;
import io.temporal.client.ActivityCompletionClient;
import io.temporal.client.ActivityCompletionException;
import io.temporal.client.ActivityNotExistsException;
import java.util.Optional;

/// Ends the waits of workflows.
public final class Completions {
  private final ActivityCompletionClient client;

  public Completions(TemporalLink temporal) {
    this.client = temporal.requestClient().newActivityCompletionClient();
  }

  /// The wait returns this answer. Always as a result, failures too: a failure by id is refused
  /// while the activity is between two attempts, and would look like a second answer.
  ///
  /// Returns false when nobody waits any more: answered before, timed out, cancelled, or over.
  ///
  /// @throws TemporalAway when it may or may not have ended
  public boolean end(String workflowId, String activityId, Answer answer) {
    try {
      client.complete(workflowId, Optional.empty(), activityId, answer);
      return true;
    } catch (ActivityNotExistsException _) {
      return false;
    } catch (ActivityCompletionException e) {
      throw TemporalLink.away(e);
    }
  }
}
