package dev.uplift.workflows.webhook;

import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/// Sends the events of a tenant to a webhook as long as it is enabled. Start it with [WebhookInput#workflowOptions].
///
/// It completes when the webhook is disabled or deleted: at once if it is told so, else within a day.
@WorkflowInterface
public interface WebhookDelivery {
  @WorkflowMethod
  void run(WebhookInput input);

  /// Says that there are new events. A receiver that fails is left alone until its time.
  @SignalMethod
  void deliver();

  /// Says that a person has changed the webhook: its receiver is tried now.
  @SignalMethod
  void recheck();
}
