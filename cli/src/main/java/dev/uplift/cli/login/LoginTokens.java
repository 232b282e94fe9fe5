package dev.uplift.cli.login;

import java.time.Duration;
import java.time.Instant;

/// The tokens of a login.
///
/// @param refreshToken with which others are fetched; empty if the issuer gave none
/// @param expiresAt of the access token
public record LoginTokens(String accessToken, String refreshToken, Instant expiresAt) {
  boolean expiresWithin(Duration time) {
    return !Instant.now().plus(time).isBefore(expiresAt);
  }

  /// Hides the tokens.
  @Override
  public String toString() {
    return "tokens until " + expiresAt;
  }
}
