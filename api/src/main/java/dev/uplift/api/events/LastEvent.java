package dev.uplift.api.events;

import dev.uplift.api.call.Call;
import dev.uplift.api.problem.Fault;
import dev.uplift.api.problem.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/// The id of an event, which a listener sends when it comes back: how much of the log it has seen,
/// a dot, and what it saw last.
///
/// @param number of the newest entry of the log; 0: none
/// @param state [#mark] of the state that was told; empty after an entry of the log
public record LastEvent(long number, String state) {
  static final String HEADER = "Last-Event-ID";

  private static final String ENDED = "ended";
  private static final Pattern ID = Pattern.compile("([0-9]{1,18})(?:\\.([0-9a-z]{1,8}))?");

  /// What the listener saw last; empty if it has just come.
  ///
  /// @throws Refusal if it is none of our ids
  public static Optional<LastEvent> of(Call call) {
    return Optional.ofNullable(call.headers().get(HEADER)).map(LastEvent::read);
  }

  private static LastEvent read(String text) {
    Matcher id = ID.matcher(text.strip());
    if (!id.matches()) {
      throw Refusal.malformed(
          Fault.header(HEADER, "expected the id of an event, or 0 for all from the first on"));
    }
    return new LastEvent(Long.parseLong(id.group(1)), Optional.ofNullable(id.group(2)).orElse(""));
  }

  /// The last event that there is.
  public static LastEvent end(long number) {
    return new LastEvent(number, ENDED);
  }

  /// Whether the listener has seen everything.
  public boolean isEnd() {
    return state.equals(ENDED);
  }

  /// Tells one state from another.
  public static String mark(String state) {
    CRC32 sum = new CRC32();
    sum.update(state.getBytes(StandardCharsets.UTF_8));
    return Long.toHexString(sum.getValue());
  }

  @Override
  public String toString() {
    return state.isEmpty() ? Long.toString(number) : number + "." + state;
  }
}
