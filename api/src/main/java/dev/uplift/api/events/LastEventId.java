package dev.uplift.api.events;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.request.RequestContext;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/// The id of an event, which a listener sends when it reconnects: how much of the log it has seen, a dot, and what it
/// saw last.
///
/// @param number of the newest entry of the log; 0: none
/// @param fingerprint [#fingerprintOf] of the state that was sent; empty after an entry of the log
public record LastEventId(long number, String fingerprint) {
  static final String HEADER = "Last-Event-ID";

  private static final String ENDED = "ended";
  private static final Pattern PATTERN = Pattern.compile("([0-9]{1,18})(?:\\.([0-9a-z]{1,8}))?");

  /// Returns the last event that the listener has seen; empty on its first request.
  ///
  /// @throws ProblemException if it is none of our ids
  public static Optional<LastEventId> of(RequestContext requestContext) {
    return Optional.ofNullable(requestContext.headers().get(HEADER)).map(LastEventId::read);
  }

  private static LastEventId read(String text) {
    Matcher id = PATTERN.matcher(text.strip());
    if (!id.matches()) {
      throw ProblemException.badRequest(
          RequestError.header(HEADER, "expected the id of an event, or 0 for all from the first on"));
    }
    return new LastEventId(Long.parseLong(id.group(1)), Optional.ofNullable(id.group(2)).orElse(""));
  }

  /// The last event that there is.
  public static LastEventId end(long number) {
    return new LastEventId(number, ENDED);
  }

  /// Returns whether the listener has seen all events.
  public boolean isEnd() {
    return fingerprint.equals(ENDED);
  }

  /// Returns a text that differs between two states.
  public static String fingerprintOf(String state) {
    CRC32 sum = new CRC32();
    sum.update(state.getBytes(StandardCharsets.UTF_8));
    return Long.toHexString(sum.getValue());
  }

  @Override
  public String toString() {
    return fingerprint.isEmpty() ? Long.toString(number) : number + "." + fingerprint;
  }
}
