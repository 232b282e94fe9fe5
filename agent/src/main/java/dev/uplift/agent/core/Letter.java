package dev.uplift.agent.core;

/// What lies in a host's slot: bytes that somebody has signed, or not.
final class Letter {
  private final String sequence;
  private final String signature;
  private final byte[] body;

  Letter(String sequence, String signature, byte[] body) {
    this.sequence = sequence;
    this.signature = signature;
    this.body = body;
  }

  /// Of the stream: another one for everything that was ever put into the slot.
  String sequence() {
    return sequence;
  }

  /// Empty where there is none.
  String signature() {
    return signature;
  }

  byte[] body() {
    return body.clone();
  }

  int size() {
    return body.length;
  }
}
