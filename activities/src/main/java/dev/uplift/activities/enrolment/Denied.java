package dev.uplift.activities.enrolment;

import dev.uplift.store.Joined;

/// A host may not join, or not stay.
public final class Denied extends Exception {
  private static final long serialVersionUID = 1;

  private final String code;

  Denied(String code, String text) {
    super(text);
    this.code = code;
  }

  static Denied because(Joined.Why why) {
    return switch (why) {
      case TOKEN_UNKNOWN ->
          new Denied("token-unknown", "the token is not, or no longer, known; make another one");
      case TOKEN_EXPIRED -> new Denied("token-expired", "the token was good until some time ago");
      case TOKEN_USED ->
          new Denied("token-used", "another key has joined with the token; make another one");
      case NO_SUCH_HOST -> new Denied("no-such-host", "the host is on no device any more");
      case KEY_REVOKED -> new Denied("key-revoked", "the key is good no more; join with a token");
      case KEY_UNKNOWN -> new Denied("key-unknown", "the key is not one of this host's");
      case TOO_MANY_KEYS ->
          new Denied("too-many-keys", "the host has had too many keys within a day; try tomorrow");
    };
  }

  /// For programs.
  public String code() {
    return code;
  }

  public String text() {
    return String.valueOf(getMessage());
  }
}
