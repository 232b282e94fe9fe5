package dev.uplift.protocol.json;

/// Bytes that are not the message they should be. The text names the field and what was expected.
public final class MalformedMessage extends RuntimeException {
  private static final long serialVersionUID = 1;

  public MalformedMessage(String text) {
    super(text);
  }
}
