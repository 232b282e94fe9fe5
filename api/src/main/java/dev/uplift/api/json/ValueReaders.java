package dev.uplift.api.json;

import dev.uplift.api.problem.RequestError;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// The shapes that requests are made of.
public final class ValueReaders {
  /// Longer than anything a person writes for another.
  private static final int MAX_CHARS = 2000;

  public static final ValueReader<String> TEXT = text(MAX_CHARS);

  /// A text that may have several lines.
  public static final ValueReader<String> MULTILINE_TEXT =
      json -> {
        if (!json.isString()) {
          throw unexpected("a text", json);
        }
        String text = json.stringValue();
        if (text.length() > MAX_CHARS) {
          throw InvalidValue.of("expected at most " + MAX_CHARS + " characters");
        }
        if (text.chars().anyMatch(c -> Character.isISOControl(c) && "\n\r\t".indexOf(c) < 0)) {
          throw InvalidValue.of(
              "expected a text without control characters but line ends and tabs");
        }
        return text;
      };

  /// A text as it was signed, line breaks included.
  public static final ValueReader<String> EXACT_TEXT =
      json -> {
        if (!json.isString()) {
          throw InvalidValue.of("expected the text of the file");
        }
        return json.stringValue();
      };

  public static final ValueReader<Boolean> BOOLEAN =
      json -> {
        if (!json.isBoolean()) {
          throw unexpected("true or false", json);
        }
        return json.booleanValue();
      };

  /// A whole number of any size that is used somewhere; what it means says its limits.
  public static final ValueReader<Integer> INTEGER =
      number(Integer.MIN_VALUE, Integer.MAX_VALUE).then(Math::toIntExact);

  /// The same, of seconds.
  public static final ValueReader<Duration> INTEGER_SECONDS = INTEGER.then(Duration::ofSeconds);

  /// A point in time with its offset, such as `2026-12-24T18:00:00Z`.
  public static final ValueReader<Instant> INSTANT = TEXT.then(ValueReaders::instant);

  /// An IANA time zone.
  public static final ValueReader<ZoneId> ZONE = TEXT.then(ValueReaders::zone);

  private ValueReaders() {}

  /// A text of at most so many characters.
  public static ValueReader<String> text(int mostChars) {
    return json -> {
      if (!json.isString()) {
        throw unexpected("a text", json);
      }
      String text = json.stringValue();
      if (text.length() > mostChars) {
        throw InvalidValue.of("expected at most " + mostChars + " characters");
      }
      if (text.chars().anyMatch(Character::isISOControl)) {
        throw InvalidValue.of("expected a text without control characters");
      }
      return text;
    };
  }

  /// A text with something in it.
  public static ValueReader<String> nonBlankText(int mostChars) {
    return text(mostChars)
        .then(text -> {
          if (text.isBlank()) {
            throw InvalidValue.of("expected a text that is not empty");
          }
          return text.strip();
        });
  }

  public static ValueReader<Long> number(long least, long most) {
    return json -> {
      if (!json.isIntegralNumber()) {
        throw unexpected("a whole number", json);
      }
      if (!json.canConvertToLong() || json.longValue() < least || json.longValue() > most) {
        throw InvalidValue.of("expected %d to %d, found %s".formatted(least, most, shorten(json)));
      }
      return json.longValue();
    };
  }

  public static ValueReader<Duration> seconds(Duration most) {
    return number(0, most.toSeconds()).then(Duration::ofSeconds);
  }

  /// One of the constants, in lower case with hyphens.
  public static <E extends Enum<E>> ValueReader<E> enumWord(E[] constants) {
    return TEXT.then(text -> enumWord(constants, text));
  }

  /// One of the constants of an enum that is known at run time only.
  static ValueReader<Enum<?>> enumWordOf(Class<?> type) {
    Enum<?>[] constants = (Enum<?>[]) type.getEnumConstants();
    return TEXT.then(text ->
        Arrays.stream(constants)
            .filter(constant -> enumWord(constant).equals(text))
            .findFirst()
            .orElseThrow(() -> notOneOf(constants, text)));
  }

  private static InvalidValue notOneOf(Enum<?>[] constants, String text) {
    String words =
        Arrays.stream(constants).map(ValueReaders::enumWord).collect(Collectors.joining(", "));
    return InvalidValue.of("expected one of %s, found \"%s\"".formatted(words, text));
  }

  /// The constant of that word.
  ///
  /// @throws InvalidValue with all words, if it is none of them
  public static <E extends Enum<E>> E enumWord(E[] constants, String text) throws InvalidValue {
    for (E constant : constants) {
      if (enumWord(constant).equals(text)) {
        return constant;
      }
    }
    throw notOneOf(constants, text);
  }

  /// The word of a constant.
  public static String enumWord(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static <T> ValueReader<List<T>> list(ValueReader<T> item, int least, int most) {
    return json -> {
      if (!json.isArray()) {
        throw unexpected("a list", json);
      }
      if (json.size() < least || json.size() > most) {
        throw InvalidValue.of(
            "expected %d to %d items, found %d".formatted(least, most, json.size()));
      }
      List<RequestError> errors = new ArrayList<>();
      List<T> items = new ArrayList<>();
      for (int i = 0; i < json.size(); i++) {
        try {
          items.add(item.read(json.get(i)));
        } catch (InvalidValue e) {
          errors.addAll(e.errorsBelow("/" + i));
        }
      }
      return orThrow(errors, items);
    };
  }

  /// An object of which the fields are data.
  public static <T> ValueReader<Map<String, T>> map(ValueReader<T> value, int most) {
    return json -> {
      if (!json.isObject()) {
        throw unexpected("an object", json);
      }
      if (json.size() > most) {
        throw InvalidValue.of("expected at most %d entries, found %d".formatted(most, json.size()));
      }
      List<RequestError> errors = new ArrayList<>();
      Map<String, T> entries = new TreeMap<>();
      for (var entry : json.properties()) {
        try {
          entries.put(entry.getKey(), value.read(entry.getValue()));
        } catch (InvalidValue e) {
          errors.addAll(e.errorsBelow("/" + escapePointer(entry.getKey())));
        }
      }
      return orThrow(errors, entries);
    };
  }

  private static <T> T orThrow(List<RequestError> errors, T value) throws InvalidValue {
    if (!errors.isEmpty()) {
      throw InvalidValue.ofErrors(errors);
    }
    return value;
  }

  /// A point in time as a text.
  ///
  /// @throws InvalidValue if it is none
  public static Instant instant(String text) throws InvalidValue {
    try {
      Instant instant = OffsetDateTime.parse(text).toInstant();
      // Tables and other programs have to be able to say it too.
      if (instant.isAfter(Instant.EPOCH)
          && instant.isBefore(Instant.parse("9999-01-01T00:00:00Z"))) {
        return instant;
      }
    } catch (DateTimeException _) {
      // Said below.
    }
    throw InvalidValue.of(
        "expected a time with its offset such as 2026-12-24T18:00:00Z, found \"%s\""
            .formatted(shorten(text)));
  }

  private static ZoneId zone(String text) throws InvalidValue {
    if (text.equals("UTC") || ZoneId.getAvailableZoneIds().contains(text)) {
      return ZoneId.of(text);
    }
    throw InvalidValue.of(
        "expected an IANA time zone such as Europe/Berlin, found \"%s\"".formatted(shorten(text)));
  }

  static InvalidValue unexpected(String what, JsonNode found) {
    return InvalidValue.of("expected %s, found %s".formatted(what, shorten(found)));
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

  static String escapePointer(String field) {
    return field.replace("~", "~0").replace("/", "~1");
  }
}
