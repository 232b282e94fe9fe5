package dev.uplift.store;

import java.sql.Types;
import org.jdbi.v3.core.argument.AbstractArgumentFactory;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.config.ConfigRegistry;

/// A text as both databases can keep it. PostgreSQL knows neither the character zero nor half a
/// surrogate pair, and one in a word of an agent would have its event fail for ever: each is kept
/// as the replacement character. No text that is signed or was JSON can have them.
final class TextArgumentFactory extends AbstractArgumentFactory<String> {
  TextArgumentFactory() {
    super(Types.VARCHAR);
  }

  @Override
  protected Argument build(String value, ConfigRegistry config) {
    String kept = StoredText.sanitize(value);
    return (position, statement, _) -> statement.setString(position, kept);
  }
}
