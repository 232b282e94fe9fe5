package dev.uplift.api.problem;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.web.router.exceptions.UnsatisfiedBodyRouteException;
import io.netty.handler.codec.compression.DecompressionException;
import jakarta.inject.Singleton;

/// Answers 400 if the body of a request is missing or cannot be decoded.
final class BodyExceptionHandlers {
  private BodyExceptionHandlers() {}

  private static HttpResponse<?> badRequest(String detail) {
    return ProblemException.badRequest(RequestError.atPointer("", detail)).problem().applyTo(HttpResponse.ok());
  }

  /// The route requires a body and there is none.
  @Singleton
  static final class MissingBodyHandler implements ExceptionHandler<UnsatisfiedBodyRouteException, HttpResponse<?>> {
    @Override
    @SuppressWarnings("rawtypes") // As the framework's interface has it.
    public HttpResponse<?> handle(HttpRequest request, UnsatisfiedBodyRouteException exception) {
      return badRequest("expected a JSON object as the body, found nothing");
    }
  }

  /// The body is not encoded as its `Content-Encoding` says.
  @Singleton
  static final class UndecodableBodyHandler implements ExceptionHandler<DecompressionException, HttpResponse<?>> {
    @Override
    @SuppressWarnings("rawtypes") // As the framework's interface has it.
    public HttpResponse<?> handle(HttpRequest request, DecompressionException exception) {
      return badRequest("expected a body in the encoding that Content-Encoding names");
    }
  }
}
