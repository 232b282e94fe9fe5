package dev.uplift.store.command;

import dev.uplift.fleet.HostId;
import dev.uplift.store.Database;
import dev.uplift.store.StoredText;
import dev.uplift.store.TimeColumn;
import io.micronaut.data.jdbc.runtime.JdbcOperations;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/// The statement behind [CommandRepository#recordOutcome]: it writes the first outcome of a command and returns the
/// row, which the two databases say in words of their own.
@Singleton
final class CommandOutcomeStatement {
  /// A host has answered what was published, even if that is not recorded; it may have answered the cancel instead.
  private static final String UPDATE =
      """
      UPDATE command SET outcome = ?, log = ?, closed_at = ?,
        published_at = CASE WHEN cancelled_by IS NULL THEN COALESCE(published_at, created_at) ELSE published_at END,
        publish_count = CASE WHEN cancelled_by IS NULL THEN GREATEST(publish_count, 1) ELSE publish_count END
      WHERE tenant = ? AND id = ? AND host = ? AND closed_at IS NULL\
      """;

  private static final String NO_CANCEL =
      """
      CAST(NULL AS VARCHAR) AS cancel_body, CAST(NULL AS VARCHAR) AS cancel_signature,
        CAST(NULL AS BIGINT) AS cancel_stream_sequence\
      """;

  private static final String H2 = "SELECT changed.*, " + NO_CANCEL + " FROM FINAL TABLE (" + UPDATE + ") changed";
  private static final String POSTGRESQL = UPDATE + " RETURNING *, " + NO_CANCEL;

  private final JdbcOperations jdbc;
  private final String sql;

  CommandOutcomeStatement(JdbcOperations jdbc, Database database) {
    this.jdbc = jdbc;
    this.sql = database.isShared() ? POSTGRESQL : H2;
  }

  /// Returns the row with its outcome, as far as it is a row of this command: without the command that cancels it.
  /// Empty if there is no such command, or it is closed.
  Optional<CommandRow> execute(
      String tenant, HostId host, String id, String outcome, Optional<String> log, Instant now) {
    return jdbc.prepareStatement(
        sql,
        statement -> {
          bind(statement, tenant, host, id, outcome, log, now);
          try (ResultSet changed = statement.executeQuery()) {
            return jdbc.entityStream(changed, CommandRow.class).findFirst();
          }
        });
  }

  private static void bind(
      PreparedStatement statement,
      String tenant,
      HostId host,
      String id,
      String outcome,
      Optional<String> log,
      Instant now)
      throws SQLException {
    statement.setString(1, StoredText.sanitize(outcome));
    statement.setString(2, log.map(StoredText::sanitize).orElse(null));
    TimeColumn.bind(statement, 3, Optional.of(now));
    statement.setString(4, tenant);
    statement.setString(5, id);
    statement.setString(6, host.value());
  }
}
