package dev.uplift.api.problem;

import dev.uplift.api.openings.OpeningView;
import io.micronaut.http.HttpStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Rejects a request, with the reason. Nothing of it was done.
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Problem problem;
  private final transient Map<String, String> headers;

  private ProblemException(Problem problem, Map<String, String> headers) {
    // Without stack trace: the place in the code does not matter.
    super(problem.detail(), null, false, false);
    this.problem = problem;
    this.headers = Map.copyOf(headers);
  }

  public static ProblemException of(HttpStatus status, String detail) {
    return new ProblemException(Problem.of(status, detail), Map.of());
  }

  /// 400: the request itself is wrong; each fault says how.
  public static ProblemException badRequest(List<RequestError> errors) {
    return withErrors(HttpStatus.BAD_REQUEST, errors);
  }

  public static ProblemException badRequest(RequestError requestError) {
    return badRequest(List.of(requestError));
  }

  /// 403: the caller may not do this.
  ///
  /// @param code for programs
  public static ProblemException forbidden(String code, String detail) {
    return new ProblemException(
        new Problem(
            HttpStatus.FORBIDDEN.getReason(),
            HttpStatus.FORBIDDEN.getCode(),
            detail,
            List.of(),
            Optional.of(code),
            Optional.empty()),
        Map.of());
  }

  /// 404: it does not exist, or the caller may not know that it does.
  public static ProblemException notFound(String what) {
    return of(HttpStatus.NOT_FOUND, what);
  }

  /// 409: a conflict with the current state.
  public static ProblemException conflict(String detail) {
    return of(HttpStatus.CONFLICT, detail);
  }

  /// 409: the device is outside of its windows.
  ///
  /// @param nextOpenings when it may be changed next
  public static ProblemException outsideWindow(String detail, List<OpeningView> nextOpenings) {
    HttpStatus status = HttpStatus.CONFLICT;
    return new ProblemException(
        new Problem(
            status.getReason(), status.getCode(), detail, List.of(), Optional.empty(), Optional.of(nextOpenings)),
        Map.of());
  }

  /// 409: several conflicts with the current state.
  public static ProblemException conflict(List<RequestError> errors) {
    return withErrors(HttpStatus.CONFLICT, errors);
  }

  /// 412: changed since the caller has read it.
  ///
  /// @param header that it relied on
  public static ProblemException preconditionFailed(String header, String detail) {
    return withErrors(HttpStatus.PRECONDITION_FAILED, List.of(RequestError.header(header, detail)));
  }

  /// 422: well formed, but not acceptable.
  public static ProblemException unprocessable(List<RequestError> errors) {
    return withErrors(HttpStatus.UNPROCESSABLE_ENTITY, errors);
  }

  /// 503: a service that it needs is unavailable.
  public static ProblemException unavailable(String what) {
    return of(HttpStatus.SERVICE_UNAVAILABLE, what + " is unavailable; nothing was done, try again")
        .withHeader("Retry-After", "5");
  }

  private static ProblemException withErrors(HttpStatus status, List<RequestError> errors) {
    String detail = errors.stream().map(RequestError::detail).collect(Collectors.joining("; "));
    return new ProblemException(new Problem(status.getReason(), status.getCode(), detail, errors), Map.of());
  }

  /// Adds a header to the response.
  public ProblemException withHeader(String header, String value) {
    return new ProblemException(problem, Map.of(header, value));
  }

  public Problem problem() {
    return problem;
  }

  Map<String, String> headers() {
    return headers;
  }
}
