package dev.uplift.api.enrolment;

import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Optional;

/// A token; shown this once only.
///
/// @param token for `uplift-agent join`; absent if the request was only validated, because it would open nothing
@Serdeable
record EnrolmentTokenView(String device, String host, Optional<String> token, Instant expiresAt) {
  /// Hides the token.
  @Override
  public String toString() {
    return "token for %s on %s".formatted(host, device);
  }
}
