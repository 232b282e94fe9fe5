package dev.uplift.store.rollout;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.RolloutId;
import dev.uplift.store.Database;
import dev.uplift.store.LineCodec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.statement.Query;

/// Which hosts many devices have, for those who look whether they are well.
public final class RolloutHosts {
  private final Database database;

  public RolloutHosts(Database database) {
    this.database = database;
  }

  /// Of the devices of a wave that were upgraded.
  public Map<String, List<HostId>> ofUpgradedDevices(RolloutId id, int wave) {
    return database.withHandle(handle ->
        hosts(
            RolloutStatements.bind(
                    handle.createQuery(
                        """
                        SELECT d.name, d.hosts FROM rollout_target t
                        JOIN device d ON d.tenant = t.tenant AND d.name = t.device
                        WHERE t.tenant = :tenant AND t.rollout = :rollout
                          AND t.state = 'ended' AND t.wave = :wave AND t.result = 'upgraded'
                        ORDER BY d.name\
                        """),
                    id)
                .bind("wave", wave)));
  }

  /// Of the devices that have a label with this value.
  public Map<String, List<HostId>> ofLabelledDevices(String tenant, String label, String value) {
    return database.withHandle(handle ->
        hosts(
            handle
                .createQuery(
                    """
                    SELECT d.name, d.hosts FROM device_label l
                    JOIN device d ON d.tenant = l.tenant AND d.name = l.device
                    WHERE l.tenant = :tenant AND l.label = :label AND l.label_value = :value
                    ORDER BY d.name\
                    """)
                .bind("tenant", tenant)
                .bind("label", label)
                .bind("value", value)));
  }

  private static Map<String, List<HostId>> hosts(Query devices) {
    Map<String, List<HostId>> hosts = new LinkedHashMap<>();
    devices
        .map((row, _) ->
            Map.entry(
                row.getString(1), LineCodec.decodeList(row.getString(2)).stream().map(HostId::new).toList()))
        .forEach(entry -> hosts.put(entry.getKey(), entry.getValue()));
    return hosts;
  }
}
