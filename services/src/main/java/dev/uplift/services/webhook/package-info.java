/// Webhooks as messages over HTTP: what is in a message ([WebhookMessage]), how it is signed ([WebhookSecret]), how
/// secrets are kept ([SecretEncryption]), and how a message is sent ([WebhookSender]). Which one is sent when is a
/// matter of `workflows` and `activities`.
@NullMarked
package dev.uplift.services.webhook;

import org.jspecify.annotations.NullMarked;
