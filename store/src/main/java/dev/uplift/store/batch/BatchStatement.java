package dev.uplift.store.batch;

import io.micronaut.data.jdbc.runtime.JdbcOperations;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;

/// A statement that is executed for many rows at once, as one.
///
/// @param sql with a `?` for each parameter
public record BatchStatement<T>(String sql, Binder<T> binder) {
  /// Sets the parameters of the statement for a row.
  @FunctionalInterface
  public interface Binder<T> {
    void bind(PreparedStatement statement, T row) throws SQLException;
  }

  /// Executes it for the rows, in their order. Returns how many rows of the table each of them changed. Without rows
  /// nothing is executed.
  public int[] execute(JdbcOperations jdbc, Collection<T> rows) {
    if (rows.isEmpty()) {
      return new int[0];
    }
    return jdbc.prepareStatement(
        sql,
        statement -> {
          for (T row : rows) {
            binder.bind(statement, row);
            statement.addBatch();
          }
          return statement.executeBatch();
        });
  }
}
