package dev.uplift.activities.temporal;

import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;

/// An attempt of an activity that failed because something of ours is away. The next one comes.
public final class ActivityFailures {
  private ActivityFailures() {}

  /// With the type and text of `why`. It is not worth a line in the log for each attempt of each
  /// workflow.
  public static ApplicationFailure.Builder retryable(RuntimeException why) {
    return ApplicationFailure.newBuilder()
        .setType(why.getClass().getSimpleName())
        .setMessage(String.valueOf(why.getMessage()))
        .setCategory(ApplicationErrorCategory.BENIGN);
  }
}
