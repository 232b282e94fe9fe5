package dev.uplift.fleet.barrier;

import java.util.Locale;
import java.util.Optional;

/// An action that a person or a program can request of a barrier.
public enum BarrierAction {
  /// The migration is done: resume.
  CONTINUE,
  /// Resume now, migrated or not.
  ABORT;

  /// Returns why it cannot be done; empty if it can.
  ///
  /// @param isApproval whether the migration is one that others do
  /// @param isOver whether its hosts have resumed by themselves
  public Optional<String> refusal(BarrierState state, boolean isApproval, boolean isOver) {
    return switch (this) {
      case CONTINUE -> whyNotContinue(state, isApproval, isOver);
      case ABORT ->
          state == BarrierState.HALTING || state == BarrierState.HALTED
              ? Optional.empty()
              : Optional.of("the barrier is " + state);
    };
  }

  private static Optional<String> whyNotContinue(BarrierState state, boolean isApproval, boolean isOver) {
    if (!isApproval) {
      return Optional.of("the barrier continues when its device is upgraded");
    }
    if (state != BarrierState.HALTED) {
      return Optional.of("the barrier is " + state + ", not halted");
    }
    return isOver ? Optional.of("its hosts have resumed by themselves") : Optional.empty();
  }

  /// The fixed word of it.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
