package dev.uplift.api.problem;

import dev.uplift.api.openings.OpeningView;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Optional;

/// A problem document. Its type is the default, `about:blank`: the status identifies the kind.
///
/// @param title name of the status
/// @param detail this occurrence
/// @param errors every fault of the request, if it has any
/// @param code why a host may not join, for its agent; absent elsewhere
/// @param nextOpenings when the device may be changed next, if it is outside of its windows
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

  /// Returns the response with this problem as its status and body.
  MutableHttpResponse<Problem> applyTo(MutableHttpResponse<?> response) {
    return response.status(status, title).body(this).contentType(JSON);
  }
}
