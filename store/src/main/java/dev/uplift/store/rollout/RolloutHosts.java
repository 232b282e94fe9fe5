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
      SELECT d.name AS device, d.hosts AS text FROM device_label l
      JOIN device d ON d.tenant = l.tenant AND d.name = l.device
      WHERE l.tenant = :tenant AND l.label = :label AND l.label_value = :value
      ORDER BY d.name\
      """)
  abstract List<DeviceText> listLabelled(String tenant, String label, String value);
}
