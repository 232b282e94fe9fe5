package dev.uplift.api.request;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.store.device.Precondition;
import io.micronaut.http.HttpHeaders;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// Entity tags of row versions, and the preconditions of requests.
public final class Etag {
  private Etag() {}

  public static String of(long version) {
    return "\"" + version + "\"";
  }

  /// Returns the precondition in `If-Match` and `If-None-Match`.
  public static Precondition precondition(RequestContext requestContext) {
    Optional<String> match = header(requestContext, HttpHeaders.IF_MATCH);
    Optional<String> noneMatch = header(requestContext, HttpHeaders.IF_NONE_MATCH);
    if (noneMatch.isPresent()) {
      if (match.isPresent() || !noneMatch.get().equals("*")) {
        throw invalidHeader(HttpHeaders.IF_NONE_MATCH, "expected * alone, for what must not exist yet");
      }
      return Precondition.absent();
    }
    return match.map(Etag::version).orElse(Precondition.anything());
  }

  /// Returns the precondition in `If-Match` alone, of a request that may have both headers for different purposes.
  public static Precondition ifMatch(RequestContext requestContext) {
    return header(requestContext, HttpHeaders.IF_MATCH).map(Etag::version).orElse(Precondition.anything());
  }

  /// Returns what was found.
  ///
  /// @param what such as "the device"
  /// @param found is empty if nothing was
  /// @param version of what was found
  /// @throws ProblemException 412 if the change relies on another version
  public static <T> Optional<T> requireVersion(
      Precondition precondition, String what, Optional<T> found, Function<T, Long> version) {
    Optional<Long> at = found.map(version);
    if (!precondition.isMetByVersion(at)) {
      throw preconditionFailed(precondition, what, at);
    }
    return found;
  }

  /// 412, in the name of the header that the caller sent.
  ///
  /// @param what such as "the device"
  /// @param version of what was found; empty if nothing was
  public static ProblemException preconditionFailed(Precondition precondition, String what, Optional<Long> version) {
    if (precondition instanceof Precondition.Absent) {
      return ProblemException.preconditionFailed(
          HttpHeaders.IF_NONE_MATCH,
          what + " exists already" + version.map(number -> ", at version " + number).orElse(""));
    }
    return ProblemException.preconditionFailed(
        HttpHeaders.IF_MATCH,
        version
            .map(number -> "%s is at version %d; read it again".formatted(what, number))
            .orElse(what + " does not exist"));
  }

  /// Returns whether the caller has this version already, by the `If-None-Match` of a `GET`.
  public static boolean isNotModified(RequestContext requestContext, long version) {
    return header(requestContext, HttpHeaders.IF_NONE_MATCH)
        .filter(tags ->
            tags.equals("*")
                || Stream.of(tags.split(",", -1))
                    .map(tag -> tag.strip().replaceFirst("^W/", ""))
                    .anyMatch(of(version)::equals))
        .isPresent();
  }

  private static Precondition version(String tag) {
    if (tag.equals("*")) {
      return Precondition.present();
    }
    try {
      if (tag.matches("\"[1-9][0-9]*\"")) {
        return Precondition.version(Long.parseLong(tag, 1, tag.length() - 1, 10));
      }
    } catch (NumberFormatException _) {
      // Too long for a version.
    }
    throw invalidHeader(HttpHeaders.IF_MATCH, "expected an ETag as it was sent, such as \"7\", or *");
  }

  private static Optional<String> header(RequestContext requestContext, String name) {
    return Optional.ofNullable(requestContext.headers().get(name)).map(String::strip);
  }

  private static ProblemException invalidHeader(String header, String detail) {
    return ProblemException.badRequest(RequestError.header(header, detail));
  }
}
