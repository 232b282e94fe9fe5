package dev.uplift.services.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.fleet.webhook.ReceiverUrl;
import dev.uplift.fleet.webhook.WebhookId;
import dev.uplift.store.webhook.WebhookRow;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Signs messages of webhooks and sends them.
@Singleton
public final class WebhookPublisher {
  private final SecretEncryption encryption;
  private final WebhookSender sender;
  private final InstantSource clock;

  public WebhookPublisher(SecretEncryption encryption, WebhookSender sender, InstantSource clock) {
    this.encryption = encryption;
    this.sender = sender;
    this.clock = clock;
  }

  /// Encrypts a secret for the row of a webhook.
  public String encrypt(WebhookId webhook, WebhookSecret secret) {
    return encryption.encrypt(webhook.toString(), secret.key());
  }

  /// Returns a secret encrypted by the first of the servers' secrets; empty if it is so already, or cannot be read.
  ///
  /// @param encrypted from the row of the webhook
  public Optional<String> reencrypt(WebhookId webhook, String encrypted) {
    return encryption.isCurrent(webhook.toString(), encrypted)
        ? Optional.empty()
        : decrypt(webhook, encrypted).map(secret -> encrypt(webhook, secret));
  }

  /// Sends a message to the receiver of a webhook, and returns what came of it within [WebhookSender#TIMEOUT]. Safe to
  /// repeat: the message has the same id, so that the receiver knows it.
  public WebhookResponse publish(WebhookRow webhook, WebhookMessage message) {
    Instant now = clock.instant();
    List<WebhookSecret> secrets = secrets(webhook, now);
    if (secrets.isEmpty()) {
      return WebhookResponse.unanswered(
          "its secret cannot be read, because the servers' secret is another one; expected `uplift webhook"
              + " rotate-secret`");
    }
    byte[] body = message.body().getBytes(UTF_8);
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("webhook-id", message.id());
    headers.put("webhook-timestamp", Long.toString(now.getEpochSecond()));
    headers.put(
        "webhook-signature",
        String.join(" ", secrets.stream().map(secret -> secret.sign(message.id(), now, body)).toList()));
    return sender.send(ReceiverUrl.parse(webhook.url()), headers, body);
  }

  /// The current one, and the one before as long as it counts.
  private List<WebhookSecret> secrets(WebhookRow webhook, Instant now) {
    Optional<String> previous =
        webhook.previousSecret().filter(_ -> webhook.previousSecretUntil().filter(now::isBefore).isPresent());
    Optional<WebhookSecret> current = decrypt(webhook.id(), webhook.secret());
    return current.isEmpty()
        ? List.of()
        : Stream.concat(current.stream(), previous.flatMap(found -> decrypt(webhook.id(), found)).stream()).toList();
  }

  private Optional<WebhookSecret> decrypt(WebhookId webhook, String encrypted) {
    return encryption.decrypt(webhook.toString(), encrypted).map(WebhookSecret::new);
  }
}
