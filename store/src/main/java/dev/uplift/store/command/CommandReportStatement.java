package dev.uplift.store.command;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.toMap;

import dev.uplift.fleet.HostId;
import dev.uplift.store.StoredText;
import dev.uplift.store.TimeColumn;
import dev.uplift.store.batch.BatchStatement;
import io.micronaut.data.jdbc.runtime.JdbcOperations;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The batch behind [CommandRepository#record]: one statement, with parameters for each command.
@Singleton
final class CommandReportStatement {
  /// An outcome says that its command was published, and no progress counts after it.
  private static final BatchStatement<CommandReport> UPDATE =
      new BatchStatement<>(
          """
          UPDATE command SET accepted_at = COALESCE(accepted_at, ?),
            published_at = CASE WHEN closed_at IS NULL THEN COALESCE(published_at, ?) ELSE published_at END,
            publish_count = CASE WHEN closed_at IS NULL THEN publish_count + ? ELSE publish_count END,
            stream_sequence = CASE WHEN closed_at IS NULL THEN COALESCE(?, stream_sequence) ELSE stream_sequence END,
            progress = CASE WHEN closed_at IS NULL THEN COALESCE(?, progress) ELSE progress END
          WHERE tenant = ? AND id = ? AND host = ? AND (closed_at IS NULL OR accepted_at IS NULL)\
          """,
          CommandReportStatement::bind);

  private final JdbcOperations jdbc;

  CommandReportStatement(JdbcOperations jdbc) {
    this.jdbc = jdbc;
  }

  private record Key(String tenant, HostId host, String id) {
    static Key of(CommandReport report) {
      return new Key(report.tenant(), report.host(), report.id());
    }
  }

  void execute(List<CommandReport> reports) {
    Collection<CommandReport> byCommand =
        reports.stream()
            .collect(
                collectingAndThen(
                    toMap(Key::of, report -> report, CommandReport::followedBy, LinkedHashMap::new), Map::values));
    int[] _ = UPDATE.execute(jdbc, byCommand);
  }

  private static void bind(PreparedStatement statement, CommandReport report) throws SQLException {
    TimeColumn.bind(statement, 1, report.acceptedAt());
    TimeColumn.bind(statement, 2, report.publishedAt());
    statement.setInt(3, report.publications());
    statement.setObject(4, report.sequence().orElse(null), Types.BIGINT);
    statement.setObject(5, report.progress().map(StoredText::sanitize).orElse(null), Types.VARCHAR);
    statement.setString(6, report.tenant());
    statement.setString(7, report.id());
    statement.setString(8, report.host().value());
  }
}
