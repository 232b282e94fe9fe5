package dev.uplift.fleet.rollout;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// Bits of sentences.
public final class Phrases {
  private static final Duration SHORT = Duration.ofMinutes(2);

  private Phrases() {}

  public static String devices(long count) {
    return count == 1 ? "1 device" : count + " devices";
  }

  /// With its verb: `1 device is`, `2 devices are`.
  public static String devicesAre(long count) {
    return devices(count) + (count == 1 ? " is" : " are");
  }

  public static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// `2 rolled-back, 1 stranded`; `none` of nothing.
  public static String describeCounts(Map<TargetResult, Integer> counts) {
    String words =
        counts.entrySet().stream()
            .filter(entry -> entry.getValue() > 0)
            .map(entry -> entry.getValue() + " " + entry.getKey())
            .collect(Collectors.joining(", "));
    return words.isEmpty() ? "none" : words;
  }

  /// `40 s`, `5 min`, `1 h 30 min`, with what is too small to matter left out.
  public static String formatDuration(Duration time) {
    if (time.compareTo(SHORT) < 0) {
      return time.toSeconds() + " s";
    }
    long hours = time.toHours();
    String minutes = time.toMinutesPart() + " min";
    if (hours == 0) {
      return minutes;
    }
    return time.toMinutesPart() == 0 ? hours + " h" : hours + " h " + minutes;
  }

  /// A share in percent with at most one digit that matters, never rounded up to the next one.
  public static String formatPercent(long part, long whole) {
    long tenths = part * 1000 / whole;
    return tenths % 10 == 0 ? tenths / 10 + " %" : "%d.%d %%".formatted(tenths / 10, tenths % 10);
  }
}
