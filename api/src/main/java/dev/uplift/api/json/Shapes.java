package dev.uplift.api.json;

import dev.uplift.api.problem.Fault;
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
public final class Shapes {
  /// Longer than anything a person writes for another.
  private static final int MOST_CHARS = 2000;

  public static final Shape<String> TEXT = text(MOST_CHARS);

  /// A text that may have several lines.
  public static final Shape<String> LINES =
      json -> {
        if (!json.isString()) {
          throw expected("a text", json);
        }
        String text = json.stringValue();
        if (text.length() > MOST_CHARS) {
          throw Wrong.because("expected at most " + MOST_CHARS + " characters");
        }
        if (text.chars().anyMatch(c -> Character.isISOControl(c) && "\n\r\t".indexOf(c) < 0)) {
          throw Wrong.because("expected a text without control characters but line ends and tabs");
        }
        return text;
      };

  /// A text as it was signed, line breaks included.
  public static final Shape<String> EXACT =
      json -> {
        if (!json.isString()) {
          throw Wrong.because("expected the text of the file");
        }
        return json.stringValue();
      };

  public static final Shape<Boolean> FLAG =
      json -> {
        if (!json.isBoolean()) {
          throw expected("true or false", json);
        }
        return json.booleanValue();
      };

  /// A whole number of any size that is used somewhere; what it means says its limits.
  public static final Shape<Integer> WHOLE =
      number(Integer.MIN_VALUE, Integer.MAX_VALUE).then(Math::toIntExact);

  /// The same, of seconds.
  public static final Shape<Duration> WHOLE_SECONDS = WHOLE.then(Duration::ofSeconds);

  /// A point in time with its offset, such as `2026-12-24T18:00:00Z`.
  public static final Shape<Instant> INSTANT = TEXT.then(Shapes::instant);

  /// An IANA time zone.
  public static final Shape<ZoneId> ZONE = TEXT.then(Shapes::zone);

  private Shapes() {}

  /// A text of at most so many characters.
  public static Shape<String> text(int mostChars) {
    return json -> {
      if (!json.isString()) {
        throw expected("a text", json);
      }
      String text = json.stringValue();
      if (text.length() > mostChars) {
        throw Wrong.because("expected at most " + mostChars + " characters");
      }
      if (text.chars().anyMatch(Character::isISOControl)) {
        throw Wrong.because("expected a text without control characters");
      }
      return text;
    };
  }

  /// A text with something in it.
  public static Shape<String> words(int mostChars) {
    return text(mostChars)
        .then(text -> {
          if (text.isBlank()) {
            throw Wrong.because("expected a text that is not empty");
          }
          return text.strip();
        });
  }

  public static Shape<Long> number(long least, long most) {
    return json -> {
      if (!json.isIntegralNumber()) {
        throw expected("a whole number", json);
      }
      if (!json.canConvertToLong() || json.longValue() < least || json.longValue() > most) {
        throw Wrong.because("expected %d to %d, found %s".formatted(least, most, brief(json)));
      }
      return json.longValue();
    };
  }

  public static Shape<Duration> seconds(Duration most) {
    return number(0, most.toSeconds()).then(Duration::ofSeconds);
  }

  /// One of the constants, in lower case with hyphens.
  public static <E extends Enum<E>> Shape<E> word(E[] constants) {
    return TEXT.then(text -> word(constants, text));
  }

  /// The constant of that word.
  ///
  /// @throws Wrong with all words, if it is none of them
  public static <E extends Enum<E>> E word(E[] constants, String text) throws Wrong {
    for (E constant : constants) {
      if (word(constant).equals(text)) {
        return constant;
      }
    }
    String words = Arrays.stream(constants).map(Shapes::word).collect(Collectors.joining(", "));
    throw Wrong.because("expected one of %s, found \"%s\"".formatted(words, text));
  }

  /// The word of a constant.
  public static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static <T> Shape<List<T>> list(Shape<T> item, int least, int most) {
    return json -> {
      if (!json.isArray()) {
        throw expected("a list", json);
      }
      if (json.size() < least || json.size() > most) {
        throw Wrong.because(
            "expected %d to %d items, found %d".formatted(least, most, json.size()));
      }
      List<Fault> faults = new ArrayList<>();
      List<T> items = new ArrayList<>();
      for (int i = 0; i < json.size(); i++) {
        try {
          items.add(item.read(json.get(i)));
        } catch (Wrong e) {
          faults.addAll(e.below("/" + i));
        }
      }
      return unless(faults, items);
    };
  }

  /// An object of which the fields are data.
  public static <T> Shape<Map<String, T>> map(Shape<T> value, int most) {
    return json -> {
      if (!json.isObject()) {
        throw expected("an object", json);
      }
      if (json.size() > most) {
        throw Wrong.because("expected at most %d entries, found %d".formatted(most, json.size()));
      }
      List<Fault> faults = new ArrayList<>();
      Map<String, T> entries = new TreeMap<>();
      for (var entry : json.properties()) {
        try {
          entries.put(entry.getKey(), value.read(entry.getValue()));
        } catch (Wrong e) {
          faults.addAll(e.below("/" + escaped(entry.getKey())));
        }
      }
      return unless(faults, entries);
    };
  }

  private static <T> T unless(List<Fault> faults, T value) throws Wrong {
    if (!faults.isEmpty()) {
      throw Wrong.inside(faults);
    }
    return value;
  }

  /// A point in time as a text.
  ///
  /// @throws Wrong if it is none
  public static Instant instant(String text) throws Wrong {
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
    throw Wrong.because(
        "expected a time with its offset such as 2026-12-24T18:00:00Z, found \"%s\""
            .formatted(brief(text)));
  }

  private static ZoneId zone(String text) throws Wrong {
    if (text.equals("UTC") || ZoneId.getAvailableZoneIds().contains(text)) {
      return ZoneId.of(text);
    }
    throw Wrong.because(
        "expected an IANA time zone such as Europe/Berlin, found \"%s\"".formatted(brief(text)));
  }

  static Wrong expected(String what, JsonNode found) {
    return Wrong.because("expected %s, found %s".formatted(what, brief(found)));
  }

  private static String brief(JsonNode json) {
    return switch (json.getNodeType()) {
      case OBJECT -> "an object";
      case ARRAY -> "a list";
      default -> brief(json.toString());
    };
  }

  private static String brief(String text) {
    return text.length() > 60 ? text.substring(0, 60) + "…" : text;
  }

  static String escaped(String field) {
    return field.replace("~", "~0").replace("/", "~1");
  }
}
