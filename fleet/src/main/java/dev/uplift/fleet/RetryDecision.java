package dev.uplift.fleet;

/// The decision about a failed step.
public enum RetryDecision {
  RETRY,
  ASK_PERSON,
  GIVE_UP;

  private static final int MAX_RETRIES = 3;

  /// Decides what to do next.
  ///
  /// @param tries how often the step was requested, the failed one included
  public static RetryDecision of(ErrorClass error, int tries) {
    return switch (error) {
      case RETRYABLE -> tries <= MAX_RETRIES ? RETRY : GIVE_UP;
      case NEEDS_PERSON -> ASK_PERSON;
      case DECLINED, FINAL -> GIVE_UP;
    };
  }
}
