package dev.uplift.api.webhooks;

import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Optional;

/// The new secret of a webhook; shown this once only.
///
/// @param secret by which the receiver verifies signatures; absent if the request was only validated
/// @param previousSecretUntil until when the secret before signs as well
@Serdeable
record WebhookSecretView(String name, Optional<String> secret, Instant previousSecretUntil) {
  /// Hides the secret.
  @Override
  public String toString() {
    return "secret of webhook " + name;
  }
}
