package dev.uplift.api.problem;

import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.MalformedCursor;
import dev.uplift.store.NoSuchTenant;
import io.micronaut.context.annotation.Factory;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

/// Maps exceptions of the store to problems.
@Factory
final class StoreExceptionHandlers {
  private final ProblemExceptionHandler handler;

  StoreExceptionHandlers(ProblemExceptionHandler handler) {
    this.handler = handler;
  }

  @Singleton
  ExceptionHandler<DatabaseUnavailable, HttpResponse<?>> databaseUnavailable() {
    return (request, _) -> respond(request, ProblemException.unavailable("the database"));
  }

  @Singleton
  ExceptionHandler<NoSuchTenant, HttpResponse<?>> noSuchTenant() {
    return (request, _) -> respond(request, ProblemException.notFound("there is no such tenant"));
  }

  @Singleton
  ExceptionHandler<MalformedCursor, HttpResponse<?>> malformedCursor() {
    return (request, _) ->
        respond(
            request,
            ProblemException.badRequest(
                RequestError.parameter("cursor", "expected the next_cursor of the page before")));
  }

  private HttpResponse<?> respond(HttpRequest<?> request, ProblemException problemException) {
    return handler.handle(request, problemException);
  }
}
