package dev.uplift.api.problem;

import dev.uplift.api.openings.OpeningView;
import io.micronaut.http.HttpStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// A request that is not done, and why. Nothing of it was done.
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Problem problem;
  private final transient Map<String, String> headers;

  private ProblemException(Problem problem, Map<String, String> headers) {
    // Says what happened, not where in our code: no stack trace.
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

  /// 403: not for who asks.
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

  /// 404: it is not there, or not for the caller, who cannot tell the one from the other.
  public static ProblemException notFound(String what) {
    return of(HttpStatus.NOT_FOUND, what);
  }

  /// 409: as things stand.
  public static ProblemException conflict(String detail) {
    return of(HttpStatus.CONFLICT, detail);
  }

  /// 409: outside of its windows.
  ///
  /// @param nextOpenings when it may be changed next
  public static ProblemException outsideWindow(String detail, List<OpeningView> nextOpenings) {
    HttpStatus status = HttpStatus.CONFLICT;
    return new ProblemException(
        new Problem(
            status.getReason(),
            status.getCode(),
            detail,
            List.of(),
            Optional.empty(),
            Optional.of(nextOpenings)),
        Map.of());
  }

  /// 409: as things stand, in several respects.
  public static ProblemException conflict(List<RequestError> errors) {
    return withErrors(HttpStatus.CONFLICT, errors);
  }

  /// 412: something changed since the caller looked.
  public static ProblemException preconditionFailed(String detail) {
    return withErrors(
        HttpStatus.PRECONDITION_FAILED, List.of(RequestError.header("If-Match", detail)));
  }

  /// 422: well formed, but not to be accepted.
  public static ProblemException unprocessable(List<RequestError> errors) {
    return withErrors(HttpStatus.UNPROCESSABLE_ENTITY, errors);
  }

  /// 503: what is needed for it is away at the moment.
  public static ProblemException unavailable(String what) {
    return of(
            HttpStatus.SERVICE_UNAVAILABLE,
            what + " is away at the moment; nothing was done, try again")
        .withHeader("Retry-After", "5");
  }

  private static ProblemException withErrors(HttpStatus status, List<RequestError> errors) {
    String detail = errors.stream().map(RequestError::detail).collect(Collectors.joining("; "));
    return new ProblemException(
        new Problem(status.getReason(), status.getCode(), detail, errors), Map.of());
  }

  /// The same with a header of the response.
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
