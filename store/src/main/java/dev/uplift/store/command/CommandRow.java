package dev.uplift.store.command;

import java.util.Optional;
import java.util.OptionalLong;

/// A command and what became of it.
///
/// @param epoch rises with every command to the host; 0 of one that was withdrawn
/// @param command empty if it was withdrawn: cancelled before it was ever written
/// @param waiter who waits for the outcome; the newest one
/// @param cancel the command that cancels this one
/// @param outcome exactly as the agent said it first
/// @param progress what the agent last said of it, for people
/// @param streamSequence sequence in the stream of the newest publish of it or of its cancel
public record CommandRow(
    CommandKey key,
    String id,
    long epoch,
    Optional<SignedCommand> command,
    Optional<WaitingActivity> waiter,
    Optional<SignedCommand> cancel,
    Optional<String> outcome,
    Optional<String> progress,
    OptionalLong streamSequence,
    CommandTimes times) {

  /// Whether it was cancelled before it was ever written. It never will be, and no agent answers
  /// it.
  public boolean isWithdrawn() {
    return command.isEmpty();
  }

  /// What is sent for it: once it is cancelled the cancel, and never again the command itself.
  ///
  /// @throws IllegalStateException if it was withdrawn
  public SignedCommand toPublish() {
    return cancel
        .or(() -> command)
        .orElseThrow(() -> new IllegalStateException(id + " is withdrawn"));
  }
}
