package dev.uplift.api.json;

import dev.uplift.fleet.window.WindowFields;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Reads plain values of requests. A wrong one is refused with an [IllegalArgumentException] that says what was found
/// and what would be right.
public final class ValueReaders {
  private ValueReaders() {}

  /// A text of one line.
  static String text(JsonNode json, int mostChars) {
    String text = chars(json, mostChars);
    PlainText.requireOneLine(text);
    return text;
  }

  /// A text that may have several lines.
  static String multilineText(JsonNode json, int mostChars) {
    String text = chars(json, mostChars);
    PlainText.requireLines(text);
    return text;
  }

  private static String chars(JsonNode json, int mostChars) {
    if (!json.isString()) {
      throw unexpected("a text", json);
    }
    String text = json.stringValue();
    if (text.codePointCount(0, text.length()) > mostChars) {
      throw new IllegalArgumentException("expected at most " + mostChars + " characters");
    }
    return text;
  }

  /// A text as it was signed, line breaks included.
  static String exactText(JsonNode json) {
    if (!json.isString()) {
      throw new IllegalArgumentException("expected the text of the file");
    }
    PlainText.requireWholeCharacters(json.stringValue());
    return json.stringValue();
  }

  static boolean bool(JsonNode json) {
    if (!json.isBoolean()) {
      throw unexpected("true or false", json);
    }
    return json.booleanValue();
  }

  /// A whole number, however it is written: 3600, 3600.0 and 3.6e3 are the same number in JSON.
  static int integer(JsonNode json, int least, int most) {
    if (!json.isNumber() || !json.canConvertToExactIntegral()) {
      throw unexpected("a whole number", json);
    }
    if (!json.canConvertToInt() || json.intValue() < least || json.intValue() > most) {
      throw new IllegalArgumentException("expected %d to %d, found %s".formatted(least, most, shorten(json)));
    }
    return json.intValue();
  }

  /// The constant of that word.
  ///
  /// @throws IllegalArgumentException with all words, if it is none of them
  public static <E extends Enum<?>> E enumWord(E[] constants, String text) {
    for (E constant : constants) {
      if (enumWord(constant).equals(text)) {
        return constant;
      }
    }
    String words = Arrays.stream(constants).map(ValueReaders::enumWord).collect(Collectors.joining(", "));
    throw new IllegalArgumentException("expected one of %s, found \"%s\"".formatted(words, text));
  }

  /// The word of a constant: in lower case, with hyphens.
  public static String enumWord(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// A point in time with its offset, such as `2026-12-24T18:00:00Z`.
  static Instant instant(String text) {
    try {
      Instant instant = OffsetDateTime.parse(text).toInstant();
      // Databases and other programs must be able to represent it.
      if (instant.isAfter(Instant.EPOCH) && instant.isBefore(Instant.parse("9999-01-01T00:00:00Z"))) {
        return instant;
      }
    } catch (DateTimeException _) {
      // Refused below.
    }
    throw new IllegalArgumentException(
        "expected a time with its offset such as 2026-12-24T18:00:00Z, found \"%s\"".formatted(shorten(text)));
  }

  /// An IANA time zone.
  static ZoneId zone(String text) {
    if (WindowFields.isZone(text)) {
      return ZoneId.of(text);
    }
    throw new IllegalArgumentException(
        "expected an IANA time zone such as Europe/Berlin, found \"%s\"".formatted(shorten(text)));
  }

  static IllegalArgumentException unexpected(String expected, JsonNode found) {
    return new IllegalArgumentException("expected %s, found %s".formatted(expected, shorten(found)));
  }

  private static String shorten(JsonNode json) {
    return switch (json.getNodeType()) {
      case OBJECT -> "an object";
      case ARRAY -> "a list";
      default -> shorten(json.toString());
    };
  }

  private static String shorten(String text) {
    return text.length() > 60 ? text.substring(0, 60) + "…" : text;
  }
}
