package dev.uplift.store;

import dev.uplift.fleet.HostId;
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

/// The statements behind [Hosts], within one transaction.
final class HostTable {
  static final RowMapper<HostRow> ROW = Columns.as(HostTable::read);

  /// With `:now`.
  static final String SELECT =
      """
      SELECT host.*, beat.instance AS beat_instance, beat.boot_id AS beat_boot_id,
        beat.state AS beat_state, beat.versions AS beat_versions, beat.beat_at,
        CASE
          WHEN EXISTS (SELECT 1 FROM host_credential held WHERE held.tenant = host.tenant
            AND held.host = host.name AND held.revoked_at IS NULL) THEN 'enrolled'
          WHEN EXISTS (SELECT 1 FROM enrolment_token fresh WHERE fresh.tenant = host.tenant
            AND fresh.host = host.name AND fresh.used_at IS NULL AND fresh.expires_at > :now)
            THEN 'invited'
          WHEN EXISTS (SELECT 1 FROM host_credential held WHERE held.tenant = host.tenant
            AND held.host = host.name) THEN 'revoked'
          ELSE 'none' END AS enrolment
      FROM host LEFT JOIN host_beat beat ON beat.tenant = host.tenant AND beat.host = host.name
      WHERE host.tenant = :tenant\
      """;

  private final Handle handle;

  HostTable(Handle handle) {
    this.handle = handle;
  }

  /// What is known of a host's versions, and until when nobody else changes it.
  record Known(String versions, Optional<Instant> informedAt, Optional<Instant> versionsAt) {
    boolean knowsNewerThan(Instant at) {
      return informedAt.filter(at::isBefore).isPresent();
    }

    boolean hasVersionsNewerThan(Instant at) {
      return versionsAt.filter(at::isBefore).isPresent();
    }
  }

  /// Locked until the end of the transaction.
  Optional<Known> lock(String tenant, HostId host) {
    return handle
        .createQuery(
            """
            SELECT versions, informed_at, versions_at,
              (SELECT beat_at FROM host_beat beat
                WHERE beat.tenant = host.tenant AND beat.host = host.name) AS beat_at
            FROM host WHERE tenant = :tenant AND name = :host FOR UPDATE\
            """)
        .bind("tenant", tenant)
        .bind("host", host.value())
        .map(
            Columns.as(row ->
                new Known(
                    row.text("versions"),
                    row.maybeTime("informed_at"),
                    newer(row.maybeTime("versions_at"), row.maybeTime("beat_at")))))
        .findOne();
  }

  private static Optional<Instant> newer(Optional<Instant> one, Optional<Instant> other) {
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

  void inform(String tenant, HostId host, HostInfo info) {
    handle
        .createUpdate(
            """
            UPDATE host SET info = :info, agent_version = :agent, architecture = :architecture,
              drivers = :drivers, boot_id = :boot, instance = :instance, state = :state,
              informed_versions = :versions, informed_at = :at
            WHERE tenant = :tenant AND name = :host\
            """)
        .bind("tenant", tenant)
        .bind("host", host.value())
        .bind("info", info.text())
        .bind("agent", info.agentVersion())
        .bind("architecture", info.architecture())
        .bind("drivers", Lines.write(info.drivers()))
        .bind("boot", info.bootId())
        .bind("instance", info.instance())
        .bind("state", info.state())
        .bind("versions", Lines.write(info.versions()))
        .bind("at", info.at())
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
        .bind("versions", Lines.write(versions))
        .bind("at", at)
        .execute();
    countVersions(tenant, host, versions);
  }

  void countVersions(String tenant, HostId host, Map<String, String> versions) {
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

  void forgetWords(String tenant, HostId host) {
    for (String sql :
        List.of(
            """
            UPDATE host SET info = NULL, agent_version = NULL, architecture = NULL, drivers = NULL,
              boot_id = NULL, instance = NULL, state = NULL, informed_versions = NULL,
              informed_at = NULL, versions = '', versions_at = NULL
            WHERE tenant = :tenant AND name = :host\
            """,
            "DELETE FROM host_version WHERE tenant = :tenant AND host = :host",
            "DELETE FROM host_beat WHERE tenant = :tenant AND host = :host")) {
      handle.createUpdate(sql).bind("tenant", tenant).bind("host", host.value()).execute();
    }
  }

  /// How many rows each of the beats changed.
  ///
  /// @param sql with `:tenant`, `:host`, `:versions`, `:at`, and what `more` binds
  int[] each(String sql, Collection<Beat> beats, BiConsumer<PreparedBatch, Beat> more) {
    if (beats.isEmpty()) {
      return new int[0];
    }
    PreparedBatch batch = handle.prepareBatch(sql);
    for (Beat beat : beats) {
      batch
          .bind("tenant", beat.tenant())
          .bind("host", beat.host().value())
          .bind("versions", Lines.write(beat.versions()))
          .bind("at", beat.at());
      more.accept(batch, beat);
      batch.add();
    }
    return batch.execute();
  }

  private static HostRow read(Columns row) throws SQLException {
    String tenant = row.text("tenant");
    var host = new HostId(row.text("name"));
    return new HostRow(
        tenant,
        host,
        row.maybeText("device"),
        row.maybeTime("informed_at").isEmpty() ? Optional.empty() : Optional.of(readInfo(row)),
        row.maybeTime("beat_at").isEmpty()
            ? Optional.empty()
            : Optional.of(readBeat(row, tenant, host)),
        row.map("versions"),
        row.word("enrolment", Enrolment.class));
  }

  private static HostInfo readInfo(Columns row) throws SQLException {
    return new HostInfo(
        row.text("info"),
        row.text("agent_version"),
        row.text("architecture"),
        Lines.read(row.text("drivers")),
        row.text("boot_id"),
        row.text("instance"),
        row.text("state"),
        row.map("informed_versions"),
        row.time("informed_at"));
  }

  private static Beat readBeat(Columns row, String tenant, HostId host) throws SQLException {
    return new Beat(
        tenant,
        host,
        row.text("beat_instance"),
        row.text("beat_boot_id"),
        row.text("beat_state"),
        row.map("beat_versions"),
        row.time("beat_at"));
  }
}
