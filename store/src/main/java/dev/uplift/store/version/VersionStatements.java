package dev.uplift.store.version;

import dev.uplift.store.TimeColumn;
import dev.uplift.store.batch.BatchStatement;
import io.micronaut.data.jdbc.runtime.JdbcOperations;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The batches behind [HostVersionRepository#replace]: one statement for all changes of a kind.
@Singleton
final class VersionStatements {
  /// How long after the end of an upgrade a report still counts as its effect. An upgrade ends with the report that it
  /// waits for, which each server receives at a time of its own.
  private static final Duration REPORT_DELAY = Duration.ofMinutes(1);

  private static final BatchStatement<VersionChange> INSERT =
      new BatchStatement<>(
          "INSERT INTO host_version (version, tenant, package, host) VALUES (?, ?, ?, ?)",
          VersionStatements::bindVersion);

  private static final BatchStatement<VersionChange> UPDATE =
      new BatchStatement<>(
          "UPDATE host_version SET version = ? WHERE tenant = ? AND package = ? AND host = ?",
          VersionStatements::bindVersion);

  private static final BatchStatement<VersionChange> DELETE =
      new BatchStatement<>(
          "DELETE FROM host_version WHERE tenant = ? AND package = ? AND host = ?",
          (statement, change) -> bindKey(statement, 1, change));

  /// An upgrade has changed the host if it was running and had sent it a step that changes something.
  private static final BatchStatement<VersionChange> INSERT_CHANGE =
      new BatchStatement<>(
          """
          INSERT INTO host_version_change (tenant, host, package, version, previous, since, upgrade)
          SELECT host.tenant, host.name, CAST(? AS VARCHAR), CAST(? AS VARCHAR), CAST(? AS VARCHAR),
            CAST(? AS TIMESTAMP(3) WITH TIME ZONE),
            (SELECT u.id FROM upgrade u WHERE u.tenant = host.tenant AND u.device = host.device
              AND u.package = ? AND u.started_at <= ? AND (u.ended_at IS NULL OR u.ended_at >= ?)
              AND EXISTS (SELECT 1 FROM command c WHERE c.tenant = u.tenant AND c.upgrade = u.id AND c.host = host.name
                AND c.step IN ('upgrade', 'reboot', 'commit', 'rollback') AND c.created_at <= ?)
              ORDER BY u.tenant, u.device, u.started_at DESC, u.id DESC LIMIT 1)
          FROM host WHERE host.tenant = ? AND host.name = ?\
          """,
          VersionStatements::bindChange);

  private final JdbcOperations jdbc;

  VersionStatements(JdbcOperations jdbc) {
    this.jdbc = jdbc;
  }

  /// Writes the changes in the order given.
  void write(List<VersionChange> changes) {
    INSERT.execute(jdbc, changes.stream().filter(VersionChange::isInstalled).toList());
    UPDATE.execute(jdbc, changes.stream().filter(VersionChange::isReplaced).toList());
    DELETE.execute(jdbc, changes.stream().filter(VersionChange::isGone).toList());
    INSERT_CHANGE.execute(jdbc, changes);
  }

  private static void bindVersion(PreparedStatement statement, VersionChange change) throws SQLException {
    statement.setString(1, change.version());
    bindKey(statement, 2, change);
  }

  private static void bindKey(PreparedStatement statement, int first, VersionChange change) throws SQLException {
    statement.setString(first, change.tenant());
    statement.setString(first + 1, change.packageName());
    statement.setString(first + 2, change.host());
  }

  private static void bindChange(PreparedStatement statement, VersionChange change) throws SQLException {
    statement.setString(1, change.packageName());
    statement.setString(2, change.version());
    statement.setString(3, change.previous());
    TimeColumn.bind(statement, 4, Optional.of(change.since()));
    statement.setString(5, change.packageName());
    TimeColumn.bind(statement, 6, Optional.of(change.since()));
    TimeColumn.bind(statement, 7, Optional.of(change.since().minus(REPORT_DELAY)));
    TimeColumn.bind(statement, 8, Optional.of(change.since()));
    statement.setString(9, change.tenant());
    statement.setString(10, change.host());
  }
}
