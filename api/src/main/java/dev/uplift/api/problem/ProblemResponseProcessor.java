package dev.uplift.api.problem;

import io.micronaut.core.type.Headers;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.exceptions.BufferLengthExceededException;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.http.server.exceptions.response.Error;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Answers rejections of the framework in our form: unknown path, method, content type, size.
@Singleton
final class ProblemResponseProcessor implements ErrorResponseProcessor<Problem> {
  private final HttpServerConfiguration configuration;
  private final NettyHttpServerConfiguration limits;

  ProblemResponseProcessor(HttpServerConfiguration configuration, NettyHttpServerConfiguration limits) {
    this.configuration = configuration;
    this.limits = limits;
  }

  @Override
  public MutableHttpResponse<Problem> processResponse(ErrorContext context, MutableHttpResponse<?> response) {
    Optional<Problem> tooLong = tooLongHead(context.getRequest());
    if (tooLong.isPresent()) {
      // The rest of the head is not read, so the connection ends.
      return tooLong.get().applyTo(response).header(HttpHeaders.CONNECTION, "close");
    }
    HttpStatus status = status(response.code());
    return new Problem(status.getReason(), status.getCode(), detail(status, context, response), List.of())
        .applyTo(response);
  }

  private Optional<Problem> tooLongHead(HttpRequest<?> request) {
    return switch (decodingFailure(request)) {
      case TooLongHttpLineException _ ->
          Optional.of(
              Problem.of(
                  HttpStatus.REQUEST_URI_TOO_LONG,
                  "expected an address of at most %d bytes".formatted(limits.getMaxInitialLineLength())));
      case TooLongHttpHeaderException _ ->
          Optional.of(
              Problem.of(
                  HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
                  "expected headers of at most %d bytes in all".formatted(limits.getMaxHeaderSize())));
      case null, default -> Optional.empty();
    };
  }

  private static @Nullable Throwable decodingFailure(HttpRequest<?> request) {
    return request instanceof NettyHttpRequest<?> netty ? netty.getNativeRequest().decoderResult().cause() : null;
  }

  private static HttpStatus status(int code) {
    try {
      return HttpStatus.valueOf(code);
    } catch (IllegalArgumentException _) {
      // Not a standard status code.
      return HttpStatus.BAD_REQUEST;
    }
  }

  private String detail(HttpStatus status, ErrorContext context, MutableHttpResponse<?> response) {
    HttpRequest<?> request = context.getRequest();
    Headers sent = request.getHeaders();
    return switch (status) {
      case NOT_FOUND -> "there is nothing at " + request.getPath();
      case METHOD_NOT_ALLOWED ->
          "%s is not allowed for this path; allowed: %s"
              .formatted(
                  request.getMethodName(), response.getHeaders().getFirst(HttpHeaders.ALLOW).orElse("other methods"));
      case UNSUPPORTED_MEDIA_TYPE ->
          "the content type %s is not supported by this path"
              .formatted(sent.getFirst(HttpHeaders.CONTENT_TYPE).orElse("(none)"));
      case NOT_ACCEPTABLE -> "this path answers with application/json";
      case INTERNAL_SERVER_ERROR -> "internal error; the server's log has the details";
      default ->
          context.getRootCause().filter(BufferLengthExceededException.class::isInstance).isPresent()
              ? "expected a body of at most %d bytes".formatted(configuration.getMaxRequestBufferSize())
              : frameworkMessages(context);
    };
  }

  private static String frameworkMessages(ErrorContext context) {
    return context.getErrors().stream().map(Error::getMessage).collect(Collectors.joining("; "));
  }
}
