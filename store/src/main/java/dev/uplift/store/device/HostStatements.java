package dev.uplift.store.device;

import dev.uplift.fleet.HostId;
import dev.uplift.store.LineCodec;
import dev.uplift.store.RowReader;
import dev.uplift.store.enrolment.EnrolmentStatus;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.PreparedBatch;

/// The statements behind [HostRepository], within one transaction.
final class HostStatements {
  static final RowMapper<HostRow> ROW = RowReader.mapper(HostStatements::read);

  /// With `:now`.
  static final String SELECT =
      """
      SELECT host.*, beat.instance AS heartbeat_instance, beat.boot_id AS heartbeat_boot_id,
        beat.state AS heartbeat_state, beat.versions AS heartbeat_versions, beat.received_at AS heartbeat_received_at,
        CASE
          WHEN EXISTS (SELECT 1 FROM host_credential held WHERE held.tenant = host.tenant
            AND held.host = host.name AND held.revoked_at IS NULL) THEN 'enrolled'
          WHEN EXISTS (SELECT 1 FROM enrolment_token fresh WHERE fresh.tenant = host.tenant
            AND fresh.host = host.name AND fresh.used_at IS NULL AND fresh.expires_at > :now)
            THEN 'invited'
          WHEN EXISTS (SELECT 1 FROM host_credential held WHERE held.tenant = host.tenant
            AND held.host = host.name) THEN 'revoked'
          ELSE 'none' END AS enrolment
      FROM host LEFT JOIN host_heartbeat beat ON beat.tenant = host.tenant AND beat.host = host.name
      WHERE host.tenant = :tenant\
      """;

  private final Handle handle;

  HostStatements(Handle handle) {
    this.handle = handle;
  }

  /// What is known of a host's versions, and until when nobody else changes it.
  record KnownVersions(String versions, Optional<Instant> infoReceivedAt, Optional<Instant> versionsAt) {
    boolean hasInfoNewerThan(Instant at) {
      return infoReceivedAt.filter(at::isBefore).isPresent();
    }

    boolean hasVersionsNewerThan(Instant at) {
      return versionsAt.filter(at::isBefore).isPresent();
    }
  }

  /// Locked until the end of the transaction.
  Optional<KnownVersions> lock(String tenant, HostId host) {
    return handle
        .createQuery(
            """
            SELECT versions, info_received_at, versions_at,
              (SELECT received_at FROM host_heartbeat beat
                WHERE beat.tenant = host.tenant AND beat.host = host.name) AS heartbeat_received_at
            FROM host WHERE tenant = :tenant AND name = :host FOR UPDATE\
            """)
        .bind("tenant", tenant)
        .bind("host", host.value())
        .map(
            RowReader.mapper(row ->
                new KnownVersions(
                    row.text("versions"),
                    row.optionalInstant("info_received_at"),
                    latest(row.optionalInstant("versions_at"), row.optionalInstant("heartbeat_received_at")))))
        .findOne();
  }

  private static Optional<Instant> latest(Optional<Instant> one, Optional<Instant> other) {
    return one.isPresent() && other.filter(one.get()::isBefore).isEmpty() ? one : other;
  }

  /// Not if there is no such tenant.
  void insert(String tenant, HostId host) {
    handle
        .createUpdate(
            """
            INSERT INTO host (tenant, name) SELECT name, :host FROM tenant WHERE name = :tenant
            ON CONFLICT DO NOTHING\
            """)
        .bind("tenant", tenant)
        .bind("host", host.value())
        .execute();
  }

  void updateInfo(String tenant, HostId host, HostInfo info) {
    handle
        .createUpdate(
            """
            UPDATE host SET info = :info, agent_version = :agent, architecture = :architecture,
              drivers = :drivers, boot_id = :boot, instance = :instance, state = :state,
              info_versions = :versions, info_received_at = :at
            WHERE tenant = :tenant AND name = :host\
            """)
        .bind("tenant", tenant)
        .bind("host", host.value())
        .bind("info", info.text())
        .bind("agent", info.agentVersion())
        .bind("architecture", info.architecture())
        .bind("drivers", LineCodec.encode(info.drivers()))
        .bind("boot", info.bootId())
        .bind("instance", info.instance())
        .bind("state", info.state())
        .bind("versions", LineCodec.encode(info.versions()))
        .bind("at", info.receivedAt())
        .execute();
  }

  void setVersions(String tenant, HostId host, Map<String, String> versions, Instant at) {
    handle
        .createUpdate(
            """
            UPDATE host SET versions = :versions, versions_at = :at
            WHERE tenant = :tenant AND name = :host\
            """)
        .bind("tenant", tenant)
        .bind("host", host.value())
        .bind("versions", LineCodec.encode(versions))
        .bind("at", at)
        .execute();
    replaceVersions(tenant, host, versions);
  }

  void replaceVersions(String tenant, HostId host, Map<String, String> versions) {
    handle
        .createUpdate("DELETE FROM host_version WHERE tenant = :tenant AND host = :host")
        .bind("tenant", tenant)
        .bind("host", host.value())
        .execute();
    if (versions.isEmpty()) {
      return;
    }
    PreparedBatch batch =
        handle.prepareBatch(
            """
            INSERT INTO host_version (tenant, host, package, version)
            VALUES (:tenant, :host, :package, :version)\
            """);
    versions.forEach((packageName, version) ->
        batch
            .bind("tenant", tenant)
            .bind("host", host.value())
            .bind("package", packageName)
            .bind("version", version)
            .add());
    batch.execute();
  }

  void clearReports(String tenant, HostId host) {
    for (String sql :
        List.of(
            """
            UPDATE host SET info = NULL, agent_version = NULL, architecture = NULL, drivers = NULL,
              boot_id = NULL, instance = NULL, state = NULL, info_versions = NULL,
              info_received_at = NULL, versions = '', versions_at = NULL
            WHERE tenant = :tenant AND name = :host\
            """,
            "DELETE FROM host_version WHERE tenant = :tenant AND host = :host",
            "DELETE FROM host_heartbeat WHERE tenant = :tenant AND host = :host")) {
      handle.createUpdate(sql).bind("tenant", tenant).bind("host", host.value()).execute();
    }
  }

  /// How many rows each of the beats changed.
  ///
  /// @param sql with `:tenant`, `:host`, `:versions`, `:at`, and what `more` binds
  int[] executeBatch(String sql, Collection<HeartbeatRow> beats, BiConsumer<PreparedBatch, HeartbeatRow> more) {
    if (beats.isEmpty()) {
      return new int[0];
    }
    PreparedBatch batch = handle.prepareBatch(sql);
    for (HeartbeatRow heartbeatRow : beats) {
      batch
          .bind("tenant", heartbeatRow.tenant())
          .bind("host", heartbeatRow.host().value())
          .bind("versions", LineCodec.encode(heartbeatRow.versions()))
          .bind("at", heartbeatRow.receivedAt());
      more.accept(batch, heartbeatRow);
      batch.add();
    }
    return batch.execute();
  }

  private static HostRow read(RowReader row) throws SQLException {
    String tenant = row.text("tenant");
    var host = new HostId(row.text("name"));
    return new HostRow(
        tenant,
        host,
        row.optionalText("device"),
        row.optionalInstant("info_received_at").isEmpty() ? Optional.empty() : Optional.of(readInfo(row)),
        row.optionalInstant("heartbeat_received_at").isEmpty()
            ? Optional.empty()
            : Optional.of(readHeartbeat(row, tenant, host)),
        row.textMap("versions"),
        row.enumValue("enrolment", EnrolmentStatus.class));
  }

  private static HostInfo readInfo(RowReader row) throws SQLException {
    return new HostInfo(
        row.text("info"),
        row.text("agent_version"),
        row.text("architecture"),
        LineCodec.decodeList(row.text("drivers")),
        row.text("boot_id"),
        row.text("instance"),
        row.text("state"),
        row.textMap("info_versions"),
        row.instant("info_received_at"));
  }

  private static HeartbeatRow readHeartbeat(RowReader row, String tenant, HostId host) throws SQLException {
    return new HeartbeatRow(
        tenant,
        host,
        row.text("heartbeat_instance"),
        row.text("heartbeat_boot_id"),
        row.text("heartbeat_state"),
        row.textMap("heartbeat_versions"),
        row.instant("heartbeat_received_at"));
  }
}
