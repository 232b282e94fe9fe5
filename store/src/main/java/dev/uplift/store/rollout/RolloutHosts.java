package dev.uplift.store.rollout;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.RolloutId;
import dev.uplift.store.LineCodec;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The hosts of many devices, for checks of their health.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class RolloutHosts implements GenericRepository<TargetRow, String> {
  /// Of the devices of a wave that were upgraded.
  public Map<String, List<HostId>> ofUpgradedDevices(RolloutId id, int wave) {
    return hosts(listUpgraded(id.tenant(), id.name(), wave));
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
    devices.forEach(
        one -> hosts.put(one.device(), LineCodec.decodeList(one.text()).stream().map(HostId::new).toList()));
    return hosts;
  }

  @Query(
      """
      SELECT d.name AS device, d.hosts AS text FROM rollout_target t
      JOIN device d ON d.tenant = t.tenant AND d.name = t.device
      WHERE t.tenant = :tenant AND t.rollout = :rollout
        AND t.state = 'ended' AND t.wave = :wave AND t.result = 'upgraded'
      ORDER BY d.name\
      """)
  abstract List<DeviceText> listUpgraded(String tenant, String rollout, int wave);

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
