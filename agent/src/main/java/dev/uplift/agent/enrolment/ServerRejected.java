package dev.uplift.agent.enrolment;

/// The server says no, and will say so again.
public final class ServerRejected extends Exception {
  private static final long serialVersionUID = 1;

  private final String code;
  private final String challenge;

  ServerRejected(String code, String text, String challenge) {
    super(text);
    this.code = code;
    this.challenge = challenge;
  }

  /// For programs.
  public String code() {
    return code;
  }

  /// What has to be signed in the next request; empty if there is no point in one.
  String challenge() {
    return challenge;
  }
}
