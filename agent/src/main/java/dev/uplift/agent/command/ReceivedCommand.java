package dev.uplift.agent.command;

/// The newest message on the host's command subject: bytes and perhaps a signature, not yet verified.
final class ReceivedCommand {
  private final String sequence;
  private final String signature;
  private final String trace;
  private final byte[] body;

  /// One that belongs to no trace.
  ReceivedCommand(String sequence, String signature, byte[] body) {
    this(sequence, signature, "", body);
  }

  ReceivedCommand(String sequence, String signature, String trace, byte[] body) {
    this.sequence = sequence;
    this.signature = signature;
    this.trace = trace;
    this.body = body;
  }

  /// The sequence in the stream: another one for every publish.
  String sequence() {
    return sequence;
  }

  /// Empty where there is none.
  String signature() {
    return signature;
  }

  /// The span that it belongs to, which nobody has signed; empty where there is none.
  String trace() {
    return trace;
  }

  byte[] body() {
    return body.clone();
  }

  int size() {
    return body.length;
  }
}
