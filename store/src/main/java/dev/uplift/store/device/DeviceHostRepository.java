package dev.uplift.store.device;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.store.ConcurrentModification;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which host is on which device, for [DeviceRepository]: a host is on one device of its tenant or on none. Hosts are
/// found by their keys: for a list H2 would read all hosts of the tenant, or of those that are on no device.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
abstract class DeviceHostRepository implements GenericRepository<HostEntity, String> {
  /// Returns those of the hosts that are on other devices, with these.
  Map<HostId, DeviceId> findOnOtherDevices(DeviceSpec spec) {
    DeviceId id = spec.id();
    var taken = new LinkedHashMap<HostId, DeviceId>();
    for (HostId host : spec.hosts()) {
      findDeviceOf(id.tenant(), host.value())
          .filter(device -> !device.equals(id.name()))
          .ifPresent(device -> taken.put(host, new DeviceId(id.tenant(), device)));
    }
    return taken;
  }

  /// Puts the hosts on the device, and creates those that do not exist.
  ///
  /// @throws ConcurrentModification if one of them is on another device by now
  void claim(DeviceSpec spec) {
    DeviceId id = spec.id();
    for (String host : hostNames(spec).stream().sorted().toList()) {
      insertIfAbsent(id.tenant(), host, id.name());
      if (claim(id.tenant(), host, id.name()) == 0) {
        throw new ConcurrentModification("host " + host);
      }
    }
  }

  /// Deletes those of the hosts that are on no device now and never reported.
  void deleteUnreported(DeviceSpec before) {
    hostNames(before).forEach(host -> deleteIfUnreported(before.id().tenant(), host));
  }

  private static List<String> hostNames(DeviceSpec spec) {
    return spec.hosts().stream().map(HostId::value).toList();
  }

  @Query("SELECT device FROM host WHERE tenant = :tenant AND name = :host AND device IS NOT NULL")
  abstract Optional<String> findDeviceOf(String tenant, String host);

  @Query(
      """
      INSERT INTO host (tenant, name, device) VALUES (:tenant, :host, :device)
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(String tenant, String host, String device);

  @Query(
      """
      UPDATE host SET device = :device WHERE tenant = :tenant AND name = :host
      AND (device IS NULL OR device = :device)\
      """)
  abstract int claim(String tenant, String host, String device);

  @Query("UPDATE host SET device = NULL WHERE tenant = :tenant AND device = :device")
  abstract int detachAll(String tenant, String device);

  @Query(
      """
      DELETE FROM host WHERE tenant = :tenant AND name = :host
      AND device IS NULL AND info_received_at IS NULL\
      """)
  abstract int deleteIfUnreported(String tenant, String host);
}
