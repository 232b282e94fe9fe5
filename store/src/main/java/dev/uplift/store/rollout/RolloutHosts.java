package dev.uplift.store.rollout;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.LineCodec;
import dev.uplift.store.Transacted;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The hosts of many devices, for checks of their health.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class RolloutHosts implements GenericRepository<TargetRow, String> {
  /// A device that was upgraded, whether it is healthy or not.
  ///
  /// @param changedPlan the plan of its upgrade, if the device was changed since; else `hosts` are those of the upgrade
  public record UpgradedDevice(String name, TargetResult result, List<HostId> hosts, Optional<String> changedPlan) {}

  /// The devices of a wave that were upgraded, by name, except those of which another upgrade has begun since.
  public List<UpgradedDevice> upgradedDevices(RolloutId id, int wave) {
    return listUpgraded(id.tenant(), id.name(), wave).stream()
        .map(row ->
            new UpgradedDevice(
                row.device(),
                EnumCodec.decode(TargetResult.class, row.result()),
                decode(row.hosts()),
                Optional.ofNullable(row.plan())))
        .toList();
  }

  /// Of the devices that have a label with this value.
  public Map<String, List<HostId>> ofLabelledDevices(String tenant, String label, String value) {
    return hosts(listLabelled(tenant, label, value));
  }

  /// Of the devices that wait and are offline; no hosts where the device is gone.
  ///
  /// @param after the last device of the page before; empty for the first page
  public Map<String, List<HostId>> ofOfflineDevices(RolloutId id, String after, int limit) {
    return hosts(listOffline(id.tenant(), id.name(), after, limit));
  }

  private static Map<String, List<HostId>> hosts(List<DeviceText> devices) {
    Map<String, List<HostId>> hosts = new LinkedHashMap<>();
    devices.forEach(one -> hosts.put(one.device(), decode(one.text())));
    return hosts;
  }

  private static List<HostId> decode(String hosts) {
    return LineCodec.decodeList(hosts).stream().map(HostId::new).toList();
  }

  @Introspected
  record UpgradedRow(String device, String result, String hosts, @Nullable String plan) {}

  @Query(
      """
      SELECT d.name AS device, t.result, d.hosts,
        CASE WHEN d.changed_at >= u.started_at THEN u.plan END AS plan
      FROM rollout_target t
      JOIN device d ON d.tenant = t.tenant AND d.name = t.device
      LEFT JOIN upgrade u ON u.tenant = t.tenant AND u.id = t.upgrade
      WHERE t.tenant = :tenant AND t.rollout = :rollout
        AND t.state = 'ended' AND t.wave = :wave AND t.result IN ('upgraded', 'unhealthy')
        AND NOT EXISTS (SELECT 1 FROM upgrade n WHERE n.tenant = t.tenant AND n.device = t.device
          AND n.id <> u.id AND n.started_at >= u.started_at)
      ORDER BY d.name\
      """)
  abstract List<UpgradedRow> listUpgraded(String tenant, String rollout, int wave);

  @Query(
      """
      SELECT t.device, COALESCE(d.hosts, '') AS text FROM rollout_target t
      LEFT JOIN device d ON d.tenant = t.tenant AND d.name = t.device
      WHERE t.tenant = :tenant AND t.rollout = :rollout AND t.device > :after
        AND t.offline_since IS NOT NULL AND (t.state = 'pending' OR (t.state = 'started' AND t.prepare_ahead))
      ORDER BY t.tenant, t.rollout, t.device LIMIT :limit\
      """)
  abstract List<DeviceText> listOffline(String tenant, String rollout, String after, int limit);

  @Query(
      """
      SELECT d.name AS device, d.hosts AS text FROM device_label l
      JOIN device d ON d.tenant = l.tenant AND d.name = l.device
      WHERE l.tenant = :tenant AND l.label = :label AND l.label_value = :value
      ORDER BY d.name\
      """)
  abstract List<DeviceText> listLabelled(String tenant, String label, String value);
}
