package dev.uplift.api.problem;

import dev.uplift.api.openings.OpeningView;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Optional;

/// A problem document. Its type is `about:blank`, which need not be said: the status tells the
/// kind.
///
/// @param title the kind, the same for all of a kind
/// @param detail this one
/// @param errors each single fault of the request, where it has some
/// @param code why a host may not join, for its agent; absent elsewhere
/// @param nextOpenings when the device may be touched next, where that is what is wrong
@Serdeable
public record Problem(
    String title,
    int status,
    String detail,
    List<RequestError> errors,
    Optional<String> code,
    Optional<List<OpeningView>> nextOpenings) {
  public static final MediaType JSON = MediaType.of("application/problem+json");

  public Problem {
    errors = List.copyOf(errors);
  }

  Problem(String title, int status, String detail, List<RequestError> errors) {
    this(title, status, detail, errors, Optional.empty(), Optional.empty());
  }

  static Problem of(HttpStatus status, String detail) {
    return new Problem(status.getReason(), status.getCode(), detail, List.of());
  }

  /// The same response, with this problem as what it says.
  MutableHttpResponse<Problem> applyTo(MutableHttpResponse<?> response) {
    return response.status(status, title).body(this).contentType(JSON);
  }
}
