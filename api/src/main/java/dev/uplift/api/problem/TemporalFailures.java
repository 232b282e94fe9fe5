package dev.uplift.api.problem;

import dev.uplift.activities.temporal.TemporalAway;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

/// Changes that need Temporal are refused while it is away, and say so.
@Singleton
final class TemporalFailures implements ExceptionHandler<TemporalAway, HttpResponse<?>> {
  private final RefusalHandler refusals;

  TemporalFailures(RefusalHandler refusals) {
    this.refusals = refusals;
  }

  @Override
  @SuppressWarnings("rawtypes") // As the framework's interface has it.
  public HttpResponse<?> handle(HttpRequest request, TemporalAway failure) {
    return refusals.handle(request, Refusal.away("Temporal, or the worker,"));
  }
}
