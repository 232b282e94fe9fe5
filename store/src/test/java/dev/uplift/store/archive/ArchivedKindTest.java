package dev.uplift.store.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How H2 finds the rows of a batch. PostgreSQL chooses by the sizes of the tables.
final class ArchivedKindTest {
  /// In a table of ten million commands a batch must not read all of them.
  @ParameterizedTest
  @EnumSource
  void theRowsOfABatchAreFoundByAnIndex(ArchivedKind kind) throws SQLException {
    DatabaseSettings inMemory = DatabaseSettings.h2InMemory();
    try (Database open = Database.open(inMemory);
        Connection connection = DriverManager.getConnection(inMemory.url(), inMemory.user(), inMemory.password())) {
      assertThat(open.isAvailable()).isTrue();
      for (ArchivedKind.Rows rows : kind.rows()) {
        assertThat(plan(connection, rows, kind))
            .doesNotContain("tableScan")
            .containsPattern("tenant = \\?1\\s+AND \\w+ IN\\(");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {ArchiveRepository.SELECT_UPGRADES, ArchiveRepository.SELECT_AUDIT})
  void theNextBatchIsReadInTheOrderOfAnIndex(String sql) throws SQLException {
    DatabaseSettings inMemory = DatabaseSettings.h2InMemory();
    try (Database open = Database.open(inMemory);
        Connection connection = DriverManager.getConnection(inMemory.url(), inMemory.user(), inMemory.password());
        PreparedStatement statement = connection.prepareStatement("EXPLAIN " + sql)) {
      assertThat(open.isAvailable()).isTrue();
      int parameters = statement.getParameterMetaData().getParameterCount();
      statement.setString(1, "acme");
      for (int i = 2; i < parameters; i++) {
        statement.setString(i, "2026-11-23 07:00:00Z");
      }
      statement.setInt(parameters, 500);
      try (ResultSet result = statement.executeQuery()) {
        assertThat(result.next()).isTrue();
        assertThat(result.getString(1)).contains("index sorted").doesNotContain("tableScan");
      }
    }
  }

  private static String plan(Connection connection, ArchivedKind.Rows rows, ArchivedKind kind) throws SQLException {
    String sql = "EXPLAIN SELECT * FROM " + rows.table() + " WHERE " + rows.condition();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 1; i <= rows.tenants(); i++) {
        statement.setString(i, "acme");
      }
      statement.setArray(rows.tenants() + 1, connection.createArrayOf(kind.idType(), new Object[] {"1", "2"}));
      try (ResultSet result = statement.executeQuery()) {
        assertThat(result.next()).isTrue();
        return result.getString(1);
      }
    }
  }
}
