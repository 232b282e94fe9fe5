package dev.uplift.api.problem;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/// A problem document. Its type is `about:blank`, which need not be said: the status tells the
/// kind.
///
/// @param title the kind, the same for all of a kind
/// @param detail this one
/// @param errors each single fault of the request, where it has some
@Serdeable
public record Problem(String title, int status, String detail, List<Fault> errors) {
  public static final MediaType JSON = MediaType.of("application/problem+json");

  public Problem {
    errors = List.copyOf(errors);
  }

  static Problem of(HttpStatus status, String detail) {
    return new Problem(status.getReason(), status.getCode(), detail, List.of());
  }

  /// The same response, with this problem as what it says.
  MutableHttpResponse<Problem> in(MutableHttpResponse<?> response) {
    return response.status(status, title).body(this).contentType(JSON);
  }
}
