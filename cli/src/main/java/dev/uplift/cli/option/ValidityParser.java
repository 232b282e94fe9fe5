package dev.uplift.cli.option;

import dev.uplift.cli.rest.CliException;
import java.time.DateTimeException;
import java.time.Duration;

/// Parses the option `--valid-for`.
public final class ValidityParser {
  private ValidityParser() {}

  /// Returns the seconds of a text such as `30m`, `1h` or `7d`.
  ///
  /// @param maxDays the most days
  public static long parseSeconds(String text, int maxDays) {
    try {
      String iso = text.endsWith("d") ? "P" + text : "PT" + text;
      long seconds = Duration.parse(iso).toSeconds();
      if (seconds > 0 && seconds <= Duration.ofDays(maxDays).toSeconds()) {
        return seconds;
      }
    } catch (DateTimeException _) {
      // Rejected below.
    }
    throw CliException.usageError("--valid-for: expected a duration such as 30m or 1h, %dd at most".formatted(maxDays));
  }
}
