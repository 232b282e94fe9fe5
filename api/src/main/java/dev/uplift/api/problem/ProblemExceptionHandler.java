package dev.uplift.api.problem;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

/// Answers with the problem that was thrown.
@Singleton
public final class ProblemExceptionHandler implements ExceptionHandler<ProblemException, HttpResponse<?>> {
  @Override
  @SuppressWarnings("rawtypes") // As the framework's interface has it.
  public HttpResponse<?> handle(HttpRequest request, ProblemException problemException) {
    MutableHttpResponse<Problem> response = problemException.problem().applyTo(HttpResponse.ok());
    problemException.headers().forEach(response::header);
    return response;
  }
}
