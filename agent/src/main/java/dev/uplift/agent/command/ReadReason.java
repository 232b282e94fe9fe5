package dev.uplift.agent.command;

/// Why to look into the slot, the best reason first.
enum ReadReason {
  /// The first time, or again: what rang meanwhile was missed.
  CONNECTED,
  /// Something was put there, or somebody tried.
  NOTIFIED,
  /// What lay there had to wait for the worker.
  WORKER_FREE,
  /// A bell rang and nothing new was there.
  RECHECK,
  /// Bells get lost.
  PERIODIC;

  /// Whoever rang may have missed the answer; whoever did not is not bothered with it.
  boolean resendsOutcome() {
    return this == CONNECTED || this == NOTIFIED;
  }
}
