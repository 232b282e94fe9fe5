package dev.uplift.api.problem;

import dev.uplift.api.openings.OpeningView;
import io.micronaut.http.HttpStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// A request that is not done, and why. Nothing of it was done.
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Problem problem;
  private final transient Map<String, String> headers;

  private Refusal(Problem problem, Map<String, String> headers) {
    // Says what happened, not where in our code: no stack trace.
    super(problem.detail(), null, false, false);
    this.problem = problem;
    this.headers = Map.copyOf(headers);
  }

  public static Refusal of(HttpStatus status, String detail) {
    return new Refusal(Problem.of(status, detail), Map.of());
  }

  /// 400: the request itself is wrong; each fault says how.
  public static Refusal malformed(List<Fault> faults) {
    return withFaults(HttpStatus.BAD_REQUEST, faults);
  }

  public static Refusal malformed(Fault fault) {
    return malformed(List.of(fault));
  }

  /// 403: not for who asks.
  ///
  /// @param code for programs
  public static Refusal denied(String code, String detail) {
    return new Refusal(
        new Problem(code, HttpStatus.FORBIDDEN.getCode(), detail, List.of()), Map.of());
  }

  /// 404: it is not there, or not for the caller, who cannot tell the one from the other.
  public static Refusal notFound(String what) {
    return of(HttpStatus.NOT_FOUND, what);
  }

  /// 409: as things stand.
  public static Refusal conflict(String detail) {
    return of(HttpStatus.CONFLICT, detail);
  }

  /// 409: outside of its windows.
  ///
  /// @param next when it may be touched next
  public static Refusal notOpen(String detail, List<OpeningView> next) {
    HttpStatus status = HttpStatus.CONFLICT;
    return new Refusal(
        new Problem(status.getReason(), status.getCode(), detail, List.of(), Optional.of(next)),
        Map.of());
  }

  /// 409: as things stand, in several respects.
  public static Refusal conflict(List<Fault> faults) {
    return withFaults(HttpStatus.CONFLICT, faults);
  }

  /// 412: something changed since the caller looked.
  public static Refusal stale(String detail) {
    return withFaults(HttpStatus.PRECONDITION_FAILED, List.of(Fault.header("If-Match", detail)));
  }

  /// 422: well formed, but not to be accepted.
  public static Refusal unacceptable(List<Fault> faults) {
    return withFaults(HttpStatus.UNPROCESSABLE_ENTITY, faults);
  }

  /// 503: what is needed for it is away at the moment.
  public static Refusal away(String what) {
    return of(
            HttpStatus.SERVICE_UNAVAILABLE,
            what + " is away at the moment; nothing was done, try again")
        .with("Retry-After", "5");
  }

  private static Refusal withFaults(HttpStatus status, List<Fault> faults) {
    String detail = faults.stream().map(Fault::detail).collect(Collectors.joining("; "));
    return new Refusal(new Problem(status.getReason(), status.getCode(), detail, faults), Map.of());
  }

  /// The same with a header of the response.
  public Refusal with(String header, String value) {
    return new Refusal(problem, Map.of(header, value));
  }

  public Problem problem() {
    return problem;
  }

  Map<String, String> headers() {
    return headers;
  }
}
