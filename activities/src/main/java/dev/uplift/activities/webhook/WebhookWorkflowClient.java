package dev.uplift.activities.webhook;

import dev.uplift.activities.temporal.TemporalClients;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.fleet.webhook.WebhookId;
import dev.uplift.workflows.webhook.WebhookDelivery;
import dev.uplift.workflows.webhook.WebhookInput;
import io.temporal.client.WorkflowClient;
import jakarta.inject.Singleton;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts the workflows of webhooks and sends them signals.
@Singleton
public final class WebhookWorkflowClient {
  private static final Logger LOG = LoggerFactory.getLogger(WebhookWorkflowClient.class);

  private final WorkflowClient client;

  public WebhookWorkflowClient(TemporalClients temporal) {
    this.client = temporal.requestClient();
  }

  /// Tells the workflow of a webhook that there are new events; starts it if it does not run. Safe to repeat.
  ///
  /// @throws TemporalUnavailable if it is unknown whether Temporal did so
  public void deliver(WebhookId webhook) {
    signalWithStart(webhook, WebhookDelivery::deliver);
  }

  /// Tells the workflow of a webhook, in the background, that a person has enabled or changed it; starts it if it does
  /// not run. Best effort: it looks at what is stored before each event, and [WebhookScheduler] starts it.
  public void recheckEnabled(WebhookId webhook) {
    send(() -> signalWithStart(webhook, WebhookDelivery::recheck));
  }

  /// Tells the workflow of a webhook, in the background, that a person has disabled or deleted it. Best effort: without
  /// this it ends within a day.
  public void recheckDisabled(WebhookId webhook) {
    send(() -> signal(webhook));
  }

  private void signalWithStart(WebhookId webhook, Consumer<WebhookDelivery> signal) {
    var input = new WebhookInput(webhook.tenant(), webhook.name());
    WebhookDelivery workflow = client.newWorkflowStub(WebhookDelivery.class, input.workflowOptions());
    TemporalClients.signalWithStart(client, workflow::run, input, () -> signal.accept(workflow));
  }

  private void signal(WebhookId webhook) {
    var _ =
        TemporalClients.signalIfRunning(() ->
            client
                .newWorkflowStub(WebhookDelivery.class, WebhookInput.workflowId(webhook.tenant(), webhook.name()))
                .recheck());
  }

  /// Not on this thread: Temporal may be unavailable, and no request waits for the signal.
  private static void send(Runnable signal) {
    Thread.ofVirtual().name("webhook-signal").start(() -> sendNow(signal));
  }

  private static void sendNow(Runnable signal) {
    try {
      signal.run();
    } catch (TemporalUnavailable e) {
      LOG.info("a webhook looks at its change by itself: {}", e.getMessage());
    }
  }
}
