package dev.uplift.api.request;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.bind.binders.PostponedRequestArgumentBinder;
import io.micronaut.http.bind.binders.TypedRequestArgumentBinder;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/// The id of an upgrade or an action: the header `Idempotency-Key`, or a new id. A repeated key is a repeated request.
public record IdempotencyKey(String value) {
  static final String HEADER = "Idempotency-Key";
  private static final Pattern PATTERN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,99}");

  private static String of(HttpHeaders headers) {
    String chosen = headers.get(HEADER);
    if (chosen == null) {
      return UUID.randomUUID().toString();
    }
    if (!PATTERN.matcher(chosen).matches()) {
      throw ProblemException.badRequest(RequestError.header(HEADER, "expected ^" + PATTERN.pattern() + "$"));
    }
    return chosen;
  }

  /// Checks an id in a path.
  public static String requireValid(String id) {
    if (!PATTERN.matcher(id).matches()) {
      throw RequestContext.invalidParameter("id", "expected ^" + PATTERN.pattern() + "$");
    }
    return id;
  }

  /// Binds parameters of this type, after authentication.
  @Singleton
  static final class Binder
      implements TypedRequestArgumentBinder<IdempotencyKey>, PostponedRequestArgumentBinder<IdempotencyKey> {
    @Override
    public Argument<IdempotencyKey> argumentType() {
      return Argument.of(IdempotencyKey.class);
    }

    @Override
    public BindingResult<IdempotencyKey> bind(
        ArgumentConversionContext<IdempotencyKey> context, HttpRequest<?> request) {
      IdempotencyKey key = new IdempotencyKey(of(request.getHeaders()));
      return () -> Optional.of(key);
    }
  }
}
