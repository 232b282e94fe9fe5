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
public final class RowReader {
  private final ResultSet row;

  private RowReader(ResultSet row) {
    this.row = row;
  }

  /// Reads a row.
  public interface Reader<T> {
    T read(RowReader rowReader) throws SQLException;
  }

  public static <T> RowMapper<T> mapper(Reader<T> reader) {
    return (row, _) -> reader.read(new RowReader(row));
  }

  public static RowReader of(ResultSet row) {
    return new RowReader(row);
  }

  public String text(String column) throws SQLException {
    return row.getString(column);
  }

  public Optional<String> optionalText(String column) throws SQLException {
    return Optional.ofNullable(row.getString(column));
  }

  public long longValue(String column) throws SQLException {
    return row.getLong(column);
  }

  public int intValue(String column) throws SQLException {
    return row.getInt(column);
  }

  public boolean booleanValue(String column) throws SQLException {
    return row.getBoolean(column);
  }

  public OptionalLong optionalLong(String column) throws SQLException {
    long found = row.getLong(column);
    return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(found);
  }

  public Instant instant(String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  public Optional<Instant> optionalInstant(String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }

  public <E extends Enum<E>> E enumValue(String column, Class<E> words) throws SQLException {
    return EnumCodec.decode(words, row.getString(column));
  }

  public <E extends Enum<E>> Optional<E> optionalEnum(String column, Class<E> words) throws SQLException {
    return optionalText(column).map(text -> EnumCodec.decode(words, text));
  }

  public Map<String, String> textMap(String column) throws SQLException {
    return LineCodec.decodeMap(row.getString(column));
  }
}
