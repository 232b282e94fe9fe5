package dev.uplift.api.problem;

import dev.uplift.activities.temporal.TemporalUnavailable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

/// Changes that need Temporal are refused while it is away, and say so.
@Singleton
final class TemporalUnavailableHandler
    implements ExceptionHandler<TemporalUnavailable, HttpResponse<?>> {
  private final ProblemExceptionHandler handler;

  TemporalUnavailableHandler(ProblemExceptionHandler handler) {
    this.handler = handler;
  }

  @Override
  @SuppressWarnings("rawtypes") // As the framework's interface has it.
  public HttpResponse<?> handle(HttpRequest request, TemporalUnavailable failure) {
    return handler.handle(request, ProblemException.unavailable("Temporal, or the worker,"));
  }
}
