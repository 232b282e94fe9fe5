package dev.uplift.api.problem;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

/// Answers with what was thrown.
@Singleton
public final class RefusalHandler implements ExceptionHandler<Refusal, HttpResponse<?>> {
  @Override
  @SuppressWarnings("rawtypes") // As the framework's interface has it.
  public HttpResponse<?> handle(HttpRequest request, Refusal refusal) {
    MutableHttpResponse<Problem> response = refusal.problem().in(HttpResponse.ok());
    refusal.headers().forEach(response::header);
    return response;
  }
}
