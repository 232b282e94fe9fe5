package dev.uplift.store.device;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.store.ConcurrentModification;
import dev.uplift.store.LineCodec;
import dev.uplift.store.RowReader;
import dev.uplift.store.upgrade.UpgradeRepository;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.SqlStatement;

/// The statements behind [DeviceRepository], within one transaction.
final class DeviceStatements {
  static final RowMapper<DeviceRow> ROW = RowReader.mapper(DeviceStatements::read);

  private final Handle handle;

  DeviceStatements(Handle handle) {
    this.handle = handle;
  }

  Optional<DeviceRow> find(DeviceId id) {
    return select(id, "");
  }

  /// Nobody else changes it until the end of the transaction.
  Optional<DeviceRow> lock(DeviceId id) {
    return select(id, " FOR UPDATE");
  }

  private Optional<DeviceRow> select(DeviceId id, String how) {
    return handle
        .createQuery("SELECT * FROM device WHERE tenant = :tenant AND name = :device" + how)
        .bind("tenant", id.tenant())
        .bind("device", id.name())
        .map(ROW)
        .findOne();
  }

  Optional<String> runningUpgrade(DeviceId id) {
    return handle
        .createQuery(
            """
            SELECT id FROM upgrade
            WHERE tenant = :tenant AND device = :device AND state = :running
            ORDER BY tenant, device, started_at DESC, id DESC LIMIT 1\
            """)
        .bind("tenant", id.tenant())
        .bind("device", id.name())
        .bind("running", UpgradeRepository.RUNNING)
        .mapTo(String.class)
        .findOne();
  }

  /// Which of the hosts are on other devices. Each is asked for by its key: for a list of them H2
  /// would read all hosts of the tenant.
  Map<HostId, DeviceId> hostsOnOtherDevices(DeviceSpec spec) {
    DeviceId id = spec.id();
    var taken = new LinkedHashMap<HostId, DeviceId>();
    for (HostId host : spec.hosts()) {
      deviceOf(id.tenant(), host)
          .filter(device -> !device.equals(id.name()))
          .ifPresent(device -> taken.put(host, new DeviceId(id.tenant(), device)));
    }
    return taken;
  }

  private Optional<String> deviceOf(String tenant, HostId host) {
    return handle
        .createQuery("SELECT device FROM host WHERE tenant = :tenant AND name = :host")
        .bind("tenant", tenant)
        .bind("host", host.value())
        .mapTo(String.class)
        .findOne();
  }

  void insert(DeviceRow row) {
    int inserted =
        bindRow(
                handle.createUpdate(
                    """
                    INSERT INTO device (tenant, name, hosts, labels, zone, windows, version,
                      created_at, changed_at)
                    VALUES (:tenant, :device, :hosts, :labels, :zone, :windows, :version, :created,
                      :changed)
                    ON CONFLICT DO NOTHING\
                    """),
                row)
            .bind("created", row.createdAt())
            .execute();
    if (inserted == 0) {
      throw new ConcurrentModification("device " + row.id());
    }
    insertHostsAndLabels(row.spec());
  }

  /// Writes the row, and hosts and labels where they are others than before.
  void update(DeviceRow row, DeviceSpec before) {
    Optional<Hold> hold = row.hold();
    bindRow(
            handle.createUpdate(
                """
                UPDATE device SET hosts = :hosts, labels = :labels, zone = :zone,
                  windows = :windows, version = :version, changed_at = :changed, hold_reason = :reason, hold_by = :by,
                  hold_since = :since, hold_until = :until
                WHERE tenant = :tenant AND name = :device\
                """),
            row)
        .bind("reason", hold.map(Hold::reason).orElse(null))
        .bind("by", hold.map(Hold::by).orElse(null))
        .bindByType("since", hold.map(Hold::since).orElse(null), Instant.class)
        .bindByType("until", hold.flatMap(Hold::until).orElse(null), Instant.class)
        .execute();
    if (!row.spec().equals(before)) {
      detach(before);
      insertHostsAndLabels(row.spec());
      deleteUnreportedHosts(before);
    }
  }

  void delete(DeviceSpec spec) {
    detach(spec);
    deleteUnreportedHosts(spec);
    executeForDevice("DELETE FROM device WHERE tenant = :tenant AND name = :device", spec.id());
  }

  private void detach(DeviceSpec before) {
    executeForDevice("DELETE FROM device_label WHERE tenant = :tenant AND device = :device", before.id());
    executeForDevice(
        "UPDATE host SET device = NULL WHERE tenant = :tenant AND device = :device", before.id());
  }

  /// Those that are on no device now and never spoke. One by one, each by its key: else H2 takes
  /// the index of the hosts that are on no device.
  private void deleteUnreportedHosts(DeviceSpec before) {
    for (String host : hostNames(before)) {
      handle
          .createUpdate(
              """
              DELETE FROM host WHERE tenant = :tenant AND name = :host
              AND device IS NULL AND info_received_at IS NULL\
              """)
          .bind("tenant", before.id().tenant())
          .bind("host", host)
          .execute();
    }
  }

  private void insertHostsAndLabels(DeviceSpec spec) {
    for (String host : hostNames(spec).stream().sorted().toList()) {
      claimHost(spec.id(), host);
    }
    if (!spec.labels().isEmpty()) {
      PreparedBatch batch =
          handle.prepareBatch(
              """
              INSERT INTO device_label (tenant, device, label, label_value)
              VALUES (:tenant, :device, :label, :content)\
              """);
      spec.labels()
          .forEach((label, content) ->
              batch
                  .bind("tenant", spec.id().tenant())
                  .bind("device", spec.id().name())
                  .bind("label", label)
                  .bind("content", content)
                  .add());
      batch.execute();
    }
  }

  private void claimHost(DeviceId id, String host) {
    handle
        .createUpdate(
            """
            INSERT INTO host (tenant, name, device) VALUES (:tenant, :host, :device)
            ON CONFLICT DO NOTHING\
            """)
        .bind("tenant", id.tenant())
        .bind("host", host)
        .bind("device", id.name())
        .execute();
    int claimed =
        handle
            .createUpdate(
                """
                UPDATE host SET device = :device WHERE tenant = :tenant AND name = :host
                AND (device IS NULL OR device = :device)\
                """)
            .bind("tenant", id.tenant())
            .bind("host", host)
            .bind("device", id.name())
            .execute();
    if (claimed == 0) {
      throw new ConcurrentModification("host " + host);
    }
  }

  private void executeForDevice(String sql, DeviceId id) {
    handle.createUpdate(sql).bind("tenant", id.tenant()).bind("device", id.name()).execute();
  }

  private static <S extends SqlStatement<S>> S bindRow(S statement, DeviceRow row) {
    return statement
        .bind("tenant", row.id().tenant())
        .bind("device", row.id().name())
        .bind("hosts", LineCodec.encode(hostNames(row.spec())))
        .bind("labels", LineCodec.encode(row.spec().labels()))
        .bind("zone", row.spec().zone().getId())
        .bind("windows", row.spec().windows())
        .bind("version", row.version())
        .bind("changed", row.changedAt());
  }

  private static List<String> hostNames(DeviceSpec spec) {
    return spec.hosts().stream().map(HostId::value).toList();
  }

  private static DeviceRow read(RowReader row) throws SQLException {
    Optional<Hold> hold =
        row.optionalText("hold_reason").isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Hold(
                    row.text("hold_reason"),
                    row.text("hold_by"),
                    row.instant("hold_since"),
                    row.optionalInstant("hold_until")));
    var spec =
        new DeviceSpec(
            new DeviceId(row.text("tenant"), row.text("name")),
            LineCodec.decodeList(row.text("hosts")).stream().map(HostId::new).toList(),
            row.textMap("labels"),
            ZoneId.of(row.text("zone")),
            row.text("windows"));
    return new DeviceRow(
        spec, hold, row.longValue("version"), row.instant("created_at"), row.instant("changed_at"));
  }
}
