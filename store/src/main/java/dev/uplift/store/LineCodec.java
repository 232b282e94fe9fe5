package dev.uplift.store;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Lists and flat maps as text that people can read: an entry a line, `name=value` in the order of the names. Whatever
/// is in them comes back as it was.
public final class LineCodec {
  private LineCodec() {}

  public static String encode(Collection<String> entries) {
    return entries.stream().map(entry -> escape(entry) + "\n").collect(Collectors.joining());
  }

  public static List<String> decodeList(String text) {
    return text.lines().map(LineCodec::unescape).toList();
  }

  public static String encode(Map<String, String> entries) {
    return new TreeMap<>(entries)
        .entrySet().stream()
            .map(entry -> escape(entry.getKey()).replace("=", "\\e") + "=" + escape(entry.getValue()))
            .collect(Collectors.joining("\n"));
  }

  public static SortedMap<String, String> decodeMap(String text) {
    var entries = new TreeMap<String, String>();
    text.lines()
        .forEach(line -> {
          int split = line.indexOf('=');
          entries.put(unescape(line.substring(0, split)), unescape(line.substring(split + 1)));
        });
    return Collections.unmodifiableSortedMap(entries);
  }

  private static String escape(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }

  private static String unescape(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    var plain = new StringBuilder(text.length());
    for (int at = 0; at < text.length(); at++) {
      char found = text.charAt(at);
      plain.append(found == '\\' ? unescapeChar(text.charAt(++at)) : found);
    }
    return plain.toString();
  }

  private static char unescapeChar(char escape) {
    return switch (escape) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 'e' -> '=';
      default -> escape;
    };
  }
}
