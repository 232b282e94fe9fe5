package dev.uplift.store;

import java.sql.Types;
import org.jdbi.v3.core.argument.AbstractArgumentFactory;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.config.ConfigRegistry;

/// A text as both databases can keep it. PostgreSQL knows neither the character zero nor half a
/// surrogate pair, and one in a word of an agent would have its event fail for ever: each is kept
/// as the replacement character. No text that is signed or was JSON can have them.
final class TextArgumentFactory extends AbstractArgumentFactory<String> {
  private static final char REPLACEMENT = '\uFFFD';

  TextArgumentFactory() {
    super(Types.VARCHAR);
  }

  @Override
  protected Argument build(String value, ConfigRegistry config) {
    String kept = sanitize(value);
    return (position, statement, _) -> statement.setString(position, kept);
  }

  static String sanitize(String text) {
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
