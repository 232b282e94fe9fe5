package dev.uplift.protocol.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;

/// Writes one JSON object, its fields in the order of the calls: equal messages are equal bytes.
public final class JsonWriter {
  private static final String HEX = "0123456789ABCDEF";

  private final StringBuilder out;

  private JsonWriter(StringBuilder out) {
    this.out = out;
  }

  public static byte[] toBytes(Consumer<JsonWriter> fields) {
    var out = new StringBuilder(256);
    new JsonWriter(out).braced(fields);
    return out.toString().getBytes(UTF_8);
  }

  public JsonWriter put(String name, String value) {
    return name(name).string(value);
  }

  public JsonWriter putUnlessEmpty(String name, String value) {
    return value.isEmpty() ? this : put(name, value);
  }

  public JsonWriter put(String name, boolean value) {
    name(name).out.append(value);
    return this;
  }

  public JsonWriter put(String name, SortedMap<String, String> values) {
    return put(name, (JsonWriter inner) -> values.forEach(inner::put));
  }

  /// An object inside this one.
  public JsonWriter put(String name, Consumer<JsonWriter> fields) {
    return name(name).braced(fields);
  }

  public JsonWriter put(String name, List<String> values) {
    name(name).out.append('[');
    for (String value : values) {
      comma('[').string(value);
    }
    out.append(']');
    return this;
  }

  /// A list of objects.
  public JsonWriter putAll(String name, List<Consumer<JsonWriter>> objects) {
    name(name).out.append('[');
    for (Consumer<JsonWriter> fields : objects) {
      comma('[').braced(fields);
    }
    out.append(']');
    return this;
  }

  public JsonWriter put(String name, long value) {
    name(name).out.append(value);
    return this;
  }

  public JsonWriter put(String name, Instant value) {
    return put(name, Rfc3339.format(value));
  }

  public JsonWriter put(String name, WireEnum value) {
    return put(name, value.wireName());
  }

  private JsonWriter braced(Consumer<JsonWriter> fields) {
    out.append('{');
    fields.accept(this);
    out.append('}');
    return this;
  }

  private JsonWriter name(String name) {
    comma('{').string(name).out.append(':');
    return this;
  }

  /// Between two, not before the first.
  private JsonWriter comma(char opening) {
    if (out.charAt(out.length() - 1) != opening) {
      out.append(',');
    }
    return this;
  }

  private JsonWriter string(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      escaped(text.charAt(i));
    }
    out.append('"');
    return this;
  }

  private void escaped(char it) {
    switch (it) {
      case '"', '\\' -> out.append('\\').append(it);
      case '\b' -> out.append("\\b");
      case '\f' -> out.append("\\f");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        if (it < ' ') {
          out.append("\\u00").append(HEX.charAt(it >> 4)).append(HEX.charAt(it & 15));
        } else {
          out.append(it);
        }
      }
    }
  }
}
