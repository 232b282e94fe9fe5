package dev.uplift.agent.driver;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.SortedMap;
import java.util.TreeMap;

/// Texts by name as lines `name=text`, for small files that a driver keeps. Equal texts are equal bytes. Line ends in a
/// text are written `\n`, a backslash twice.
public final class KeyValues {
  private KeyValues() {}

  public static byte[] write(SortedMap<String, String> texts) {
    var lines = new StringBuilder();
    texts.forEach((name, text) -> lines.append(escape(name)).append('=').append(escape(text)).append('\n'));
    return lines.toString().getBytes(UTF_8);
  }

  /// Lines of another form are left out.
  public static SortedMap<String, String> read(String lines) {
    var texts = new TreeMap<String, String>();
    for (String line : lines.lines().toList()) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        texts.put(unescape(line.substring(0, equals)), unescape(line.substring(equals + 1)));
      }
    }
    return texts;
  }

  private static String escape(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }

  private static String unescape(String text) {
    var plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '\\' && i + 1 < text.length()) {
        i++;
        each =
            switch (text.charAt(i)) {
              case 'n' -> '\n';
              case 'r' -> '\r';
              default -> text.charAt(i);
            };
      }
      plain.append(each);
    }
    return plain.toString();
  }
}
