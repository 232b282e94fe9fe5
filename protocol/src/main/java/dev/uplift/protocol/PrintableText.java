package dev.uplift.protocol;

/// Text of hosts as people may be shown it. A terminal obeys some characters instead of printing them: with escape
/// sequences a text sets the clipboard or the title, with bidirectional overrides it reads as something else, and with
/// line breaks it adds lines that look like ours. Each such character becomes the replacement character.
public final class PrintableText {
  private static final char REPLACEMENT = '\uFFFD';

  private PrintableText() {}

  /// Returns text of several lines: line feeds and tabs stay, and CR LF is a line feed.
  public static String lines(String text) {
    return replace(text.replace("\r\n", "\n"), true);
  }

  /// Returns text in one line: line breaks and tabs become blanks.
  public static String line(String text) {
    return replace(text.replace("\r\n", " ").replace('\n', ' ').replace('\t', ' '), false);
  }

  /// Returns whether a terminal would obey the character instead of printing it, line breaks and tabs included.
  public static boolean isControl(int character) {
    return Character.isISOControl(character) || isBidirectional(character) || isLineSeparator(character);
  }

  private static boolean isBidirectional(int character) {
    return character == 0x061C
        || character == 0x200E
        || character == 0x200F
        || (character >= 0x202A && character <= 0x202E)
        || (character >= 0x2066 && character <= 0x2069);
  }

  private static boolean isLineSeparator(int character) {
    return character == 0x2028 || character == 0x2029;
  }

  private static String replace(String text, boolean keepsLines) {
    if (text.chars().noneMatch(PrintableText::isControl)) {
      return text;
    }
    var printable = new StringBuilder(text.length());
    for (int at = 0; at < text.length(); at++) {
      char found = text.charAt(at);
      boolean isKept = keepsLines && (found == '\n' || found == '\t');
      printable.append(!isKept && isControl(found) ? REPLACEMENT : found);
    }
    return printable.toString();
  }
}
