package dev.uplift.api.problem;

import dev.uplift.activities.temporal.TemporalUnavailable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

/// Answers 503 to changes that need Temporal while it is unavailable.
@Singleton
final class TemporalUnavailableHandler implements ExceptionHandler<TemporalUnavailable, HttpResponse<?>> {
  private final ProblemExceptionHandler handler;

  TemporalUnavailableHandler(ProblemExceptionHandler handler) {
    this.handler = handler;
  }

  @Override
  @SuppressWarnings("rawtypes") // As the framework's interface has it.
  public HttpResponse<?> handle(HttpRequest request, TemporalUnavailable failure) {
    return handler.handle(request, ProblemException.unavailable("Temporal or the worker"));
  }
}
