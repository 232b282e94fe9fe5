package dev.uplift.store.device;

import dev.uplift.store.LineCodec;
import dev.uplift.store.StoredText;
import dev.uplift.store.TimeColumn;
import dev.uplift.store.batch.BatchStatement;
import io.micronaut.data.jdbc.runtime.JdbcOperations;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The batches behind [HostRepository]: one statement for the rows of many hosts. Those of heartbeats need to know
/// which of their rows changed something; a batch of Micronaut Data returns only how many rows it was given.
@Singleton
final class HostStatements {
  private static final BatchStatement<InfoRow> UPDATE_INFO =
      new BatchStatement<>(
          """
          UPDATE host SET info = ?, agent_version = ?, architecture = ?, drivers = ?, boot_id = ?, instance = ?, state = ?,
            info_versions = ?, info_received_at = ?, versions = COALESCE(?, versions), versions_at = COALESCE(?, versions_at)
          WHERE tenant = ? AND name = ?\
          """,
          HostStatements::bindInfo);

  private static final BatchStatement<HeartbeatRow> UPDATE =
      new BatchStatement<>(
          """
          UPDATE host_heartbeat SET versions = ?, received_at = ?, instance = ?, boot_id = ?, state = ?
          WHERE tenant = ? AND host = ? AND received_at <= ?\
          """,
          HostStatements::bindUpdate);

  private static final BatchStatement<HeartbeatRow> INSERT =
      new BatchStatement<>(
          """
          INSERT INTO host_heartbeat (tenant, host, versions, received_at, instance, boot_id, state)
          SELECT tenant, name, ?, ?, ?, ?, ? FROM host WHERE tenant = ? AND name = ?
          ON CONFLICT DO NOTHING\
          """,
          HostStatements::bindHeartbeat);

  private static final BatchStatement<HeartbeatRow> UPDATE_VERSIONS =
      new BatchStatement<>(
          """
          UPDATE host SET versions = ?, versions_at = ? WHERE tenant = ? AND name = ? AND versions <> ?
          AND (versions_at IS NULL OR versions_at <= ?)
          AND (info_received_at IS NULL OR info_received_at <= ?)\
          """,
          HostStatements::bindVersions);

  private final JdbcOperations jdbc;

  HostStatements(JdbcOperations jdbc) {
    this.jdbc = jdbc;
  }

  /// @param isChanged whether the versions are other than those that are recorded
  record InfoRow(ReportedInfo report, boolean isChanged) {}

  void updateInfos(List<InfoRow> rows) {
    int[] _ = UPDATE_INFO.execute(jdbc, rows);
  }

  private static void bindInfo(PreparedStatement statement, InfoRow row) throws SQLException {
    HostInfo info = row.report().info();
    String versions = text(info.versions());
    statement.setString(1, StoredText.sanitize(info.text()));
    statement.setString(2, StoredText.sanitize(info.agentVersion()));
    statement.setString(3, StoredText.sanitize(info.architecture()));
    statement.setString(4, StoredText.sanitize(LineCodec.encode(info.drivers())));
    statement.setString(5, StoredText.sanitize(info.bootId()));
    statement.setString(6, StoredText.sanitize(info.instance()));
    statement.setString(7, StoredText.sanitize(info.state()));
    statement.setString(8, versions);
    TimeColumn.bind(statement, 9, Optional.of(info.receivedAt()));
    statement.setString(10, row.isChanged() ? versions : null);
    TimeColumn.bind(statement, 11, Optional.of(info.receivedAt()).filter(_ -> row.isChanged()));
    statement.setString(12, row.report().tenant());
    statement.setString(13, row.report().host().value());
  }

  int[] update(List<HeartbeatRow> rows) {
    return UPDATE.execute(jdbc, rows);
  }

  private static void bindUpdate(PreparedStatement statement, HeartbeatRow row) throws SQLException {
    bindHeartbeat(statement, row);
    TimeColumn.bind(statement, 8, Optional.of(row.receivedAt()));
  }

  int[] insertIfAbsent(List<HeartbeatRow> rows) {
    return INSERT.execute(jdbc, rows);
  }

  int[] updateVersions(List<HeartbeatRow> rows) {
    return UPDATE_VERSIONS.execute(jdbc, rows);
  }

  private static void bindVersions(PreparedStatement statement, HeartbeatRow row) throws SQLException {
    String versions = text(row.versions());
    statement.setString(1, versions);
    TimeColumn.bind(statement, 2, Optional.of(row.receivedAt()));
    statement.setString(3, row.tenant());
    statement.setString(4, row.host().value());
    statement.setString(5, versions);
    TimeColumn.bind(statement, 6, Optional.of(row.receivedAt()));
    TimeColumn.bind(statement, 7, Optional.of(row.receivedAt()));
  }

  private static void bindHeartbeat(PreparedStatement statement, HeartbeatRow row) throws SQLException {
    statement.setString(1, text(row.versions()));
    TimeColumn.bind(statement, 2, Optional.of(row.receivedAt()));
    statement.setString(3, StoredText.sanitize(row.instance()));
    statement.setString(4, StoredText.sanitize(row.bootId()));
    statement.setString(5, StoredText.sanitize(row.state()));
    statement.setString(6, row.tenant());
    statement.setString(7, row.host().value());
  }

  /// Returns versions as they are stored.
  static String text(Map<String, String> versions) {
    return StoredText.sanitize(LineCodec.encode(versions));
  }
}
