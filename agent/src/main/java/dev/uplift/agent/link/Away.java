package dev.uplift.agent.link;

/// The server, or the part of it that should answer, cannot be reached now. Worth another try.
public final class Away extends Exception {
  private static final long serialVersionUID = 1;

  public Away(String text) {
    super(text);
  }

  public Away(String text, Throwable cause) {
    super(text, cause);
  }
}
