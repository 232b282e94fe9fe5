package dev.uplift.store;

/// Text as both databases can keep it. PostgreSQL knows neither the character zero nor half a surrogate pair, and one
/// of them in a text of an agent would make its event fail for ever: each is stored as the replacement character. No
/// text that is signed or was JSON can have them.
public final class StoredText {
  private static final char REPLACEMENT = '\uFFFD';

  private StoredText() {}

  public static String sanitize(String text) {
    for (int at = 0; at < text.length(); at++) {
      char found = text.charAt(at);
      if (found == 0 || Character.isSurrogate(found)) {
        return replaceInvalid(text);
      }
    }
    return text;
  }

  private static String replaceInvalid(String text) {
    var kept = new StringBuilder(text.length());
    text.codePoints()
        .map(found -> found == 0 || isUnpairedSurrogate(found) ? REPLACEMENT : found)
        .forEach(kept::appendCodePoint);
    return kept.toString();
  }

  private static boolean isUnpairedSurrogate(int codePoint) {
    return Character.getType(codePoint) == Character.SURROGATE;
  }
}
