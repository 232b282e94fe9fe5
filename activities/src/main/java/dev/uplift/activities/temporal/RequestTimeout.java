package dev.uplift.activities.temporal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Asks workflows, whose answers come in milliseconds unless no worker is there.
final class RequestTimeout {
  private static final Duration TIMEOUT = Duration.ofSeconds(15);
  private static final Executor EXECUTOR = command -> Thread.ofVirtual().start(command);

  private RequestTimeout() {}

  /// What `call` returns or throws, within a time that a person waits.
  ///
  /// @throws TemporalUnavailable if that is over, or Temporal does not answer
  static <T> T withTimeout(Supplier<T> call) {
    CompletableFuture<T> answer =
        CompletableFuture.supplyAsync(() -> TemporalClients.call(call), EXECUTOR);
    try {
      return answer.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new TemporalUnavailable("no worker answers", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TemporalUnavailable("interrupted", e);
    }
  }
}
