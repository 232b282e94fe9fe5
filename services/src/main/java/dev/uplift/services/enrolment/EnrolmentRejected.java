package dev.uplift.services.enrolment;

import dev.uplift.protocol.enrolment.RenewRequest;
import dev.uplift.store.enrolment.EnrolmentResult;

/// A host may not join, or its credentials are not renewed.
public final class EnrolmentRejected extends Exception {
  private static final long serialVersionUID = 1;

  private final String code;
  private final String challenge;

  EnrolmentRejected(String code, String text) {
    this(code, text, "");
  }

  private EnrolmentRejected(String code, String text, String challenge) {
    super(text);
    this.code = code;
    this.challenge = challenge;
  }

  /// The same request is to be signed again, with this challenge.
  static EnrolmentRejected withChallenge(String challenge) {
    return new EnrolmentRejected(
        RenewRequest.CHALLENGE_REQUIRED,
        "sign the request again with the challenge in the header " + RenewRequest.CHALLENGE_HEADER,
        challenge);
  }

  static EnrolmentRejected of(EnrolmentResult.RejectionReason reason) {
    return switch (reason) {
      case TOKEN_UNKNOWN ->
          new EnrolmentRejected("token-unknown", "the token is unknown, or no longer known; create another one");
      case TOKEN_EXPIRED -> new EnrolmentRejected("token-expired", "the token has expired; create another one");
      case TOKEN_USED ->
          new EnrolmentRejected("token-used", "another key has joined with the token; create another one");
      case NO_SUCH_HOST -> new EnrolmentRejected("host-not-found", "the host is no longer on a device");
      case KEY_REVOKED -> new EnrolmentRejected("key-revoked", "the key is no longer valid; join with a token");
      case KEY_UNKNOWN -> new EnrolmentRejected("key-unknown", "the key is not a key of this host");
      case TOO_MANY_KEYS ->
          new EnrolmentRejected("too-many-keys", "the host has had too many keys within a day; try tomorrow");
    };
  }

  /// A fixed word for programs.
  public String code() {
    return code;
  }

  /// What the host has to sign in its next request; empty for any other reason.
  public String challenge() {
    return challenge;
  }

  public String text() {
    return String.valueOf(getMessage());
  }
}
