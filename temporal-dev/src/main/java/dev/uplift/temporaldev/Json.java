package dev.uplift.temporaldev;

import java.util.Collection;
import java.util.Map;

/// Writes maps, lists, texts, numbers and booleans as JSON, in the order that they have.
final class Json {
  private final StringBuilder out = new StringBuilder();
  private final boolean isForPeople;
  private int depth;

  private Json(boolean isForPeople) {
    this.isForPeople = isForPeople;
  }

  /// On one line.
  static String write(Object value) {
    var json = new Json(false);
    json.append(value);
    return json.out.toString();
  }

  /// For files that people read: one entry per line.
  static String indented(Object value) {
    var json = new Json(true);
    json.append(value);
    return json.out.append('\n').toString();
  }

  private void append(Object value) {
    switch (value) {
      case Map<?, ?> map -> appendMap(map);
      case Collection<?> list -> appendList(list);
      case Number number -> out.append(number);
      case Boolean flag -> out.append(flag);
      default -> quote(value.toString());
    }
  }

  private void appendMap(Map<?, ?> map) {
    out.append('{');
    depth++;
    String separator = "";
    for (var entry : map.entrySet()) {
      out.append(separator);
      newLine();
      quote(entry.getKey().toString());
      out.append(isForPeople ? ": " : ":");
      append(entry.getValue());
      separator = ",";
    }
    depth--;
    if (!map.isEmpty()) {
      newLine();
    }
    out.append('}');
  }

  private void appendList(Collection<?> list) {
    out.append('[');
    depth++;
    String separator = "";
    for (Object item : list) {
      out.append(separator);
      newLine();
      append(item);
      separator = ",";
    }
    depth--;
    if (!list.isEmpty()) {
      newLine();
    }
    out.append(']');
  }

  private void newLine() {
    if (isForPeople) {
      out.append('\n').repeat("  ", depth);
    }
  }

  private void quote(String text) {
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
