package dev.uplift.temporaldev;

import java.util.Collection;
import java.util.Map;

/// Writes maps, lists, texts, numbers and booleans as JSON.
final class Json {
  private Json() {}

  static String write(Object value) {
    var out = new StringBuilder();
    append(out, value);
    return out.toString();
  }

  private static void append(StringBuilder out, Object value) {
    switch (value) {
      case Map<?, ?> map -> {
        String separator = "{";
        for (var entry : map.entrySet()) {
          out.append(separator);
          quote(out, entry.getKey().toString());
          out.append(':');
          append(out, entry.getValue());
          separator = ",";
        }
        out.append(map.isEmpty() ? "{}" : "}");
      }
      case Collection<?> list -> {
        String separator = "[";
        for (Object item : list) {
          out.append(separator);
          append(out, item);
          separator = ",";
        }
        out.append(list.isEmpty() ? "[]" : "]");
      }
      case Number number -> out.append(number);
      case Boolean flag -> out.append(flag);
      default -> quote(out, value.toString());
    }
  }

  private static void quote(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
