package dev.uplift.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jdbi.v3.core.mapper.RowMapper;

/// The columns of a row, by name and as what they are.
final class Columns {
  private final ResultSet row;

  private Columns(ResultSet row) {
    this.row = row;
  }

  /// Reads a row.
  interface Reader<T> {
    T read(Columns columns) throws SQLException;
  }

  static <T> RowMapper<T> as(Reader<T> reader) {
    return (row, _) -> reader.read(new Columns(row));
  }

  static Columns of(ResultSet row) {
    return new Columns(row);
  }

  String text(String column) throws SQLException {
    return row.getString(column);
  }

  Optional<String> maybeText(String column) throws SQLException {
    return Optional.ofNullable(row.getString(column));
  }

  long number(String column) throws SQLException {
    return row.getLong(column);
  }

  int count(String column) throws SQLException {
    return row.getInt(column);
  }

  boolean flag(String column) throws SQLException {
    return row.getBoolean(column);
  }

  OptionalLong maybeNumber(String column) throws SQLException {
    long found = row.getLong(column);
    return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(found);
  }

  Instant time(String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  Optional<Instant> maybeTime(String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }

  <E extends Enum<E>> E word(String column, Class<E> words) throws SQLException {
    return Words.read(words, row.getString(column));
  }

  <E extends Enum<E>> Optional<E> maybeWord(String column, Class<E> words) throws SQLException {
    return maybeText(column).map(text -> Words.read(words, text));
  }

  Map<String, String> map(String column) throws SQLException {
    return Lines.readMap(row.getString(column));
  }
}
