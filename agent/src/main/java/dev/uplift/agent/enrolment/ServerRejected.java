package dev.uplift.agent.enrolment;

/// The server says no, and will say so again.
public final class ServerRejected extends Exception {
  private static final long serialVersionUID = 1;

  private final String code;

  ServerRejected(String code, String text) {
    super(text);
    this.code = code;
  }

  /// For programs.
  public String code() {
    return code;
  }
}
