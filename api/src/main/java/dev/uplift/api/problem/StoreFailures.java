package dev.uplift.api.problem;

import dev.uplift.store.DatabaseAway;
import dev.uplift.store.MalformedCursor;
import dev.uplift.store.NoSuchTenant;
import io.micronaut.context.annotation.Factory;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

/// What it means for a client that the tables refuse.
@Factory
final class StoreFailures {
  private final RefusalHandler refusals;

  StoreFailures(RefusalHandler refusals) {
    this.refusals = refusals;
  }

  @Singleton
  ExceptionHandler<DatabaseAway, HttpResponse<?>> away() {
    return (request, _) -> answer(request, Refusal.away("the database"));
  }

  @Singleton
  ExceptionHandler<NoSuchTenant, HttpResponse<?>> noTenant() {
    return (request, _) -> answer(request, Refusal.notFound("there is no such tenant"));
  }

  @Singleton
  ExceptionHandler<MalformedCursor, HttpResponse<?>> cursor() {
    return (request, _) ->
        answer(
            request,
            Refusal.malformed(
                Fault.parameter("cursor", "expected what the page before has as next")));
  }

  private HttpResponse<?> answer(HttpRequest<?> request, Refusal refusal) {
    return refusals.handle(request, refusal);
  }
}
