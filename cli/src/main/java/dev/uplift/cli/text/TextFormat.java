package dev.uplift.cli.text;

import java.time.Duration;
import java.util.stream.Collectors;

/// Formats words and times for people.
public final class TextFormat {
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
