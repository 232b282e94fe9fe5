package dev.uplift.api.security;

/// A token that is not accepted, with the reason for its sender.
final class InvalidToken extends Exception {
  private static final long serialVersionUID = 1;

  InvalidToken(String message) {
    super(message, null, false, false);
  }

  InvalidToken(String message, Throwable cause) {
    super(message, cause);
  }
}
