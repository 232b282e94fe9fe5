package dev.uplift.agent.command;

/// What lies in a host's slot: bytes that somebody has signed, or not.
final class ReceivedCommand {
  private final String sequence;
  private final String signature;
  private final byte[] body;

  ReceivedCommand(String sequence, String signature, byte[] body) {
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
