/// Webhooks: what people say about them ([WebhookRepository]), how far each is ([WebhookDeliveryRepository]), and the
/// waits that were told once more ([EscalationRepository]).
@NullMarked
package dev.uplift.store.webhook;

import org.jspecify.annotations.NullMarked;
