package dev.uplift.agent.driver.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Listens to one run of a worker. The first reply to its message counts; what is no message is progress for people.
final class ReplyListener implements Consumer<String> {
  private final String action;
  private final Consumer<String> progress;
  private final Duration timeToEnd;
  private @Nullable String result;
  private long repliedAt;

  /// @param timeToEnd how long the worker may take to end after its reply
  ReplyListener(String action, Consumer<String> progress, Duration timeToEnd) {
    this.action = action;
    this.progress = progress;
    this.timeToEnd = timeToEnd;
  }

  @Override
  public void accept(String line) {
    if (!WorkerMessages.isMessage(line)) {
      progress.accept(line);
    } else if (result == null) {
      result = WorkerMessages.result(action, line).orElse(null);
      repliedAt = System.nanoTime();
    }
  }

  Optional<String> result() {
    return Optional.ofNullable(result);
  }

  /// Returns whether the worker has replied, and should have ended since.
  boolean isOverdue() {
    return result != null && System.nanoTime() - repliedAt > timeToEnd.toNanos();
  }
}
