package dev.uplift.agent.transport;

/// The server, or the part of it that should answer, cannot be reached now. Worth another try.
public final class ServerUnavailable extends Exception {
  private static final long serialVersionUID = 1;

  public ServerUnavailable(String text) {
    super(text);
  }

  public ServerUnavailable(String text, Throwable cause) {
    super(text, cause);
  }
}
