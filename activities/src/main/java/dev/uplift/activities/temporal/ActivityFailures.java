package dev.uplift.activities.temporal;

import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;

/// Failures of an attempt of an activity that the next attempt may not have. Benign, so that the SDK does not log each
/// attempt of each workflow.
public final class ActivityFailures {
  private ActivityFailures() {}

  /// Returns a failure with the type and message of the exception.
  public static ApplicationFailure.Builder retryable(RuntimeException e) {
    return retryable(e.getClass().getSimpleName(), String.valueOf(e.getMessage()));
  }

  public static ApplicationFailure.Builder retryable(String type, String message) {
    return ApplicationFailure.newBuilder()
        .setType(type)
        .setMessage(message)
        .setCategory(ApplicationErrorCategory.BENIGN);
  }
}
