package dev.uplift.agent.core;

/// Why to look into the slot, the best reason first.
enum Reason {
  /// The first time, or again: what rang meanwhile was missed.
  CONNECTED,
  /// Something was put there, or somebody tried.
  BELL,
  /// What lay there had to wait for the worker.
  FREE,
  /// A bell rang and nothing new was there.
  AGAIN,
  /// Bells get lost.
  PERIODIC;

  /// Whoever rang may have missed the answer; whoever did not is not bothered with it.
  boolean sendsAgain() {
    return this == CONNECTED || this == BELL;
  }
}
