package dev.uplift.protocol.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The fields of one received JSON object. A field that is not read is ignored; one that is read and is missing or of
/// another kind is a [MalformedMessage] that names it.
public final class JsonObject {
  private final Map<String, Object> values = new LinkedHashMap<>();

  /// Names of numbers that are no integers of 64 bits, and what they are instead: no message has such.
  private final Map<String, String> nonIntegers = new TreeMap<>();

  JsonObject() {}

  public static JsonObject parse(byte[] json) {
    return JsonReader.read(json);
  }

  void add(String name, Object value) {
    if (values.put(name, value) != null) {
      throw new MalformedMessage(name + ": expected once, found twice");
    }
  }

  void addNonInteger(String name, String found) {
    nonIntegers.put(name, found);
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }

  /// The names that are there, of values that we can read.
  public Set<String> names() {
    return Collections.unmodifiableSet(values.keySet());
  }

  /// The fields of an object inside; none of them where there is no such object.
  public JsonObject object(String name) {
    return has(name) ? value(name, JsonObject.class, "an object") : new JsonObject();
  }

  public List<String> stringListOr(String name, List<String> fallback) {
    return has(name) ? value(name, StringList.class, "a list of texts").values : fallback;
  }

  public SortedMap<String, String> stringMapOr(String name, SortedMap<String, String> fallback) {
    return has(name) ? stringMap(name) : fallback;
  }

  public String string(String name) {
    return value(name, String.class, "a text");
  }

  public String stringOr(String name, String fallback) {
    return has(name) ? string(name) : fallback;
  }

  public boolean booleanOr(String name, boolean fallback) {
    return has(name) ? value(name, Boolean.class, "true or false") : fallback;
  }

  public SortedMap<String, String> stringMap(String name) {
    JsonObject inner = value(name, JsonObject.class, "an object");
    SortedMap<String, String> texts = new TreeMap<>();
    inner.values.keySet().forEach(key -> texts.put(key, inner.string(key)));
    return texts;
  }

  public long numberOr(String name, long fallback) {
    return has(name) || nonIntegers.containsKey(name) ? number(name) : fallback;
  }

  public long number(String name) {
    return value(name, Long.class, "an integer");
  }

  public Instant instant(String name) {
    try {
      return Rfc3339.parse(string(name));
    } catch (DateTimeException _) {
      throw malformed(name, "an RFC 3339 time in UTC");
    }
  }

  public <E extends Enum<E> & WireEnum> E enumValue(String name, E[] known) {
    return findEnumValue(name, known).orElseThrow(() -> malformed(name, oneOf(known)));
  }

  public <E extends Enum<E> & WireEnum> E enumValueOr(String name, E[] known, E fallback) {
    return findEnumValue(name, known).orElse(fallback);
  }

  private <E extends Enum<E> & WireEnum> Optional<E> findEnumValue(String name, E[] known) {
    String text = string(name);
    for (E constant : known) {
      if (constant.wireName().equals(text)) {
        return Optional.of(constant);
      }
    }
    return Optional.empty();
  }

  private static String oneOf(WireEnum[] known) {
    return Arrays.stream(known).map(WireEnum::wireName).collect(Collectors.joining(", ", "one of ", ""));
  }

  public MalformedMessage malformed(String name, String expected) {
    String found = nonIntegers.containsKey(name) ? nonIntegers.get(name) : describe(values.get(name));
    return new MalformedMessage(name + ": expected " + expected + ", found " + found);
  }

  public static String describe(@Nullable Object found) {
    return switch (found) {
      case null -> "none";
      case JsonObject _ -> "an object";
      case StringList _ -> "a list";
      case String text when text.length() > 40 -> '"' + text.substring(0, 40) + "…\"";
      case String text -> '"' + text + '"';
      default -> found.toString();
    };
  }

  private <T> T value(String name, Class<T> kind, String expected) {
    Object found = values.get(name);
    if (!kind.isInstance(found)) {
      throw malformed(name, expected);
    }
    return kind.cast(found);
  }

  /// The texts of a list. What else is in it is nothing that we know.
  record StringList(List<String> values) {
    static StringList of(List<?> values) {
      List<String> texts = new ArrayList<>();
      for (Object value : values) {
        if (value instanceof String text) {
          texts.add(text);
        }
      }
      return new StringList(texts);
    }
  }
}
