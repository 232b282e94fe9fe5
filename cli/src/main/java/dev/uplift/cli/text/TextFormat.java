package dev.uplift.cli.text;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Formats words and times for people.
public final class TextFormat {
  private static final DateTimeFormatter TIME_OF_DAY = DateTimeFormatter.ofPattern("HH:mm:ss'Z'");
  private static final Pattern FRACTION = Pattern.compile("([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8})\\.[0-9]+Z");

  private TextFormat() {}

  public static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  /// Returns at most `width` characters; truncated text ends in an ellipsis.
  public static String truncate(String text, int width) {
    return text.length() <= width ? text : text.substring(0, Math.max(0, width - 1)) + "…";
  }

  /// Indents every line.
  public static String indent(String text) {
    return text.lines().map(line -> "  " + line).collect(Collectors.joining("\n"));
  }

  /// Formats a number of things: `1 device`, `2 devices`.
  public static String count(int number, String thing) {
    return number + " " + thing + (number == 1 ? "" : "s");
  }

  /// Formats a time of day as all commands show it: `09:20:51Z`, in UTC as in lists, logs and Temporal Web UI.
  public static String timeOfDay(Instant at) {
    return TIME_OF_DAY.format(at.atOffset(ZoneOffset.UTC));
  }

  /// Formats a time as all commands show it: `2026-11-22T09:20:51Z`.
  public static String time(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /// As [#time(Instant)], of each time in a text of a response.
  public static String time(String text) {
    return FRACTION.matcher(text).replaceAll("$1Z");
  }

  /// As [#time(String)], of the times in a sentence; a text that is only a time keeps its fraction, to be reckoned
  /// with.
  static String timesInSentence(String text) {
    return FRACTION.matcher(text).matches() ? text : time(text);
  }

  /// Formats a duration with one number: `0.3 s`, `12 s`, `4 min`, `3 h`, `2 d`.
  public static String formatDuration(Duration time) {
    double seconds = time.toMillis() / 1000.0;
    if (seconds < 10) {
      return "%.1f s".formatted(seconds);
    }
    if (seconds < 120) {
      return "%d s".formatted(Math.round(seconds));
    }
    if (seconds < 2 * 3600) {
      return "%d min".formatted(Math.round(seconds / 60));
    }
    return seconds < 48 * 3600
        ? "%d h".formatted(Math.round(seconds / 3600))
        : "%d d".formatted(Math.round(seconds / 86400));
  }
}
