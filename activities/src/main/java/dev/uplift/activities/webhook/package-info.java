/// The work of webhooks: [WebhookStepsActivities] sends events, [WebhookScheduler] sees to it that the workflow of each
/// enabled webhook is told of new ones, [WebhookWorkflowClient] tells it.
@NullMarked
package dev.uplift.activities.webhook;

import org.jspecify.annotations.NullMarked;
