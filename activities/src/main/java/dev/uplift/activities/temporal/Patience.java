package dev.uplift.activities.temporal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Asks workflows, whose answers come in milliseconds unless no worker is there.
final class Patience {
  private static final Duration ENDS = Duration.ofSeconds(15);
  private static final Executor THREADS = command -> Thread.ofVirtual().start(command);

  private Patience() {}

  /// What `call` returns or throws, within a time that a person waits.
  ///
  /// @throws TemporalAway if that is over, or Temporal does not answer
  static <T> T inTime(Supplier<T> call) {
    CompletableFuture<T> answer =
        CompletableFuture.supplyAsync(() -> TemporalLink.asking(call), THREADS);
    try {
      return answer.get(ENDS.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new TemporalAway("no worker answers", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TemporalAway("interrupted", e);
    }
  }
}
