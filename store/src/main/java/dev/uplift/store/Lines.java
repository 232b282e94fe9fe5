package dev.uplift.store;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Lists and flat maps as text that people can read: an entry a line, `name=value` in the order of
/// the names. Whatever is in them comes back as it was.
final class Lines {
  private Lines() {}

  static String write(Collection<String> entries) {
    return entries.stream().map(entry -> escaped(entry) + "\n").collect(Collectors.joining());
  }

  static List<String> read(String text) {
    return text.lines().map(Lines::unescaped).toList();
  }

  static String write(Map<String, String> entries) {
    return new TreeMap<>(entries)
        .entrySet().stream()
            .map(entry ->
                escaped(entry.getKey()).replace("=", "\\e") + "=" + escaped(entry.getValue()))
            .collect(Collectors.joining("\n"));
  }

  static SortedMap<String, String> readMap(String text) {
    var entries = new TreeMap<String, String>();
    text.lines()
        .forEach(line -> {
          int split = line.indexOf('=');
          entries.put(unescaped(line.substring(0, split)), unescaped(line.substring(split + 1)));
        });
    return Collections.unmodifiableSortedMap(entries);
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }

  private static String unescaped(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    var plain = new StringBuilder(text.length());
    for (int at = 0; at < text.length(); at++) {
      char found = text.charAt(at);
      plain.append(found == '\\' ? meant(text.charAt(++at)) : found);
    }
    return plain.toString();
  }

  private static char meant(char escape) {
    return switch (escape) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 'e' -> '=';
      default -> escape;
    };
  }
}
