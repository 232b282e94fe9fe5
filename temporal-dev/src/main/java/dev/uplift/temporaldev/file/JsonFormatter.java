package dev.uplift.temporaldev.file;

import java.util.Collection;
import java.util.Map;

/// Writes maps, lists, texts, numbers and booleans as JSON, in the order that they have.
public final class JsonFormatter {
  private final StringBuilder out = new StringBuilder();
  private final boolean indents;
  private int depth;

  private JsonFormatter(boolean indents) {
    this.indents = indents;
  }

  /// On one line.
  public static String compact(Object value) {
    var jsonFormatter = new JsonFormatter(false);
    jsonFormatter.append(value);
    return jsonFormatter.out.toString();
  }

  /// For files that people read: one entry per line.
  public static String indented(Object value) {
    var jsonFormatter = new JsonFormatter(true);
    jsonFormatter.append(value);
    return jsonFormatter.out.append('\n').toString();
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
      out.append(indents ? ": " : ":");
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
    if (indents) {
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
