package dev.uplift.agent.join;

/// The server says no, and will say so again.
public final class Refused extends Exception {
  private static final long serialVersionUID = 1;

  private final String code;

  Refused(String code, String text) {
    super(text);
    this.code = code;
  }

  /// For programs.
  public String code() {
    return code;
  }
}
