/// Webhooks over REST: where events of a tenant are sent. Start at [WebhookController]; deliveries are a matter of
/// `activities.webhook`.
@NullMarked
package dev.uplift.api.webhooks;

import org.jspecify.annotations.NullMarked;
