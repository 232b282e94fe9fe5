package dev.uplift.api.enrolment;

import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;

/// A token; shown this once only.
///
/// @param token for `uplift-agent join`
@Serdeable
record EnrolmentTokenView(String device, String host, String token, Instant expiresAt) {
  /// Hides the token.
  @Override
  public String toString() {
    return "token for %s on %s".formatted(host, device);
  }
}
