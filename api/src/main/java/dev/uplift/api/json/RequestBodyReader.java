package dev.uplift.api.json;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import io.micronaut.core.type.Argument;
import io.micronaut.core.type.Headers;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.body.MessageBodyReader;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// Reads the `@Body` parameters of controllers with [RequestBinder].
@Singleton
@Consumes({MediaType.APPLICATION_JSON, RequestBodyReader.MERGE_PATCH})
public final class RequestBodyReader<T extends RequestBody> implements MessageBodyReader<T> {
  /// The type of content of merge patches (RFC 7396).
  public static final String MERGE_PATCH = "application/merge-patch+json";

  private final RequestBinder binder;

  RequestBodyReader(RequestBinder binder) {
    this.binder = binder;
  }

  @Override
  public boolean isReadable(Argument<T> type, @Nullable MediaType mediaType) {
    return RequestBody.class.isAssignableFrom(type.getType());
  }

  @Override
  public T read(Argument<T> type, @Nullable MediaType mediaType, Headers headers, InputStream in) {
    try {
      byte[] body = in.readAllBytes();
      int valid = Utf8.validLength(body);
      if (valid < body.length) {
        throw ProblemException.badRequest(
            RequestError.atPointer("", "expected a body in UTF-8; byte %d is not".formatted(valid + 1)));
      }
      return binder.bind(type.getType(), body);
    } catch (IOException _) {
      throw ProblemException.badRequest(RequestError.atPointer("", "the body ended before it was complete"));
    }
  }
}
