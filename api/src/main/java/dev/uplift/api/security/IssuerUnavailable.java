package dev.uplift.api.security;

/// The keys of an issuer could not be read, so whether a token is valid is not known.
final class IssuerUnavailable extends Exception {
  private static final long serialVersionUID = 1;

  IssuerUnavailable(String message) {
    super(message, null, false, false);
  }

  IssuerUnavailable(String message, Throwable cause) {
    super(message, cause);
  }
}
