package dev.uplift.activities.reconciler;

/// A pass went over all items, and at least one failed. Every failure is in the log.
public final class IncompletePass extends RuntimeException {
  private static final long serialVersionUID = 1L;

  IncompletePass(String message, RuntimeException first) {
    super(message, first);
  }
}
