package dev.uplift.fleet.window;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The notation of windows and openings in test tables.
final class WindowNotation {
  static final ZoneId UTC = ZoneId.of("UTC");

  private WindowNotation() {}

  /// Parses `thu,fri 22:00 8h Europe/Berlin`; `daily` is every day. Blackout dates may follow.
  static Window window(String text) {
    String[] words = text.split(" ");
    String days = words[0].equals("daily") ? "mon,tue,wed,thu,fri,sat,sun" : words[0];
    return new Window(
        Arrays.stream(days.split(",")).map(WindowFields::dayOfWeek).collect(Collectors.toUnmodifiableSet()),
        WindowFields.startTime(words[1]),
        WindowFields.timezone(words[3]),
        WindowFields.duration(words[2]),
        Arrays.stream(words).skip(4).map(WindowFields::blackout).toList());
  }

  static List<Window> windows(String... texts) {
    return Arrays.stream(texts).map(WindowNotation::window).toList();
  }

  /// Formats as `2025-01-15T01:00Z/2025-01-15T05:00Z`; `..` is an unknown end.
  static String format(WindowOpening opening) {
    return format(opening.opens()) + "/" + format(opening.closes());
  }

  private static String format(Optional<Instant> instant) {
    return instant.map(at -> at.toString().replace(":00Z", "Z")).orElse("..");
  }

  static List<String> format(List<WindowOpening> openings) {
    return openings.stream().map(WindowNotation::format).toList();
  }

  /// Parses a time; a date is its first instant in UTC.
  static Instant at(String text) {
    return Instant.parse(text.length() == 10 ? text + "T00:00:00Z" : text.replaceFirst("(T..:..)Z", "$1:00Z"));
  }
}
