package dev.uplift.store.upgrade;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Release;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;

/// Says in one statement which tables have rows that count at the start of an upgrade. Usually none has, and then none
/// of them is read.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class UpgradeFactRepository implements GenericRepository<UpgradeRow, String> {
  public UpgradeFacts find(DeviceId device, Release release) {
    return find(device.tenant(), device.name(), release.packageName(), release.version());
  }

  @Query(
      """
      SELECT
        NOT EXISTS (SELECT 1 FROM device
          WHERE device.tenant = :tenant AND device.name = :device AND device.hold_reason IS NULL) AS is_held,
        EXISTS (SELECT 1 FROM tenant_stop stop WHERE stop.tenant = :tenant) AS is_stopped,
        EXISTS (SELECT 1 FROM pin
          WHERE pin.tenant = :tenant AND pin.device = :device AND pin.package = :packageName)
        OR EXISTS (SELECT 1 FROM host
          JOIN host_hold held ON held.tenant = host.tenant AND held.host = host.name AND held.package = :packageName
          WHERE host.tenant = :tenant AND host.device = :device)
        OR EXISTS (SELECT 1 FROM barrier_device halted
          WHERE halted.tenant = :tenant AND halted.device = :device AND halted.package = :packageName) AS is_pinned,
        EXISTS (SELECT 1 FROM upgrade
          WHERE tenant = :tenant AND device = :device AND package = :packageName AND version = :version
      """
          + FailureRepository.COUNTS
          + """
          ) AS has_failed,
            EXISTS (SELECT 1 FROM host
              JOIN host_offer offer ON offer.tenant = host.tenant AND offer.host = host.name
                AND offer.package = :packageName AND offer.updates > 0
              WHERE host.tenant = :tenant AND host.device = :device) AS is_offered\
          """)
  abstract UpgradeFacts find(String tenant, String device, String packageName, String version);
}
