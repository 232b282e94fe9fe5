package dev.uplift.store.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;

/// The rollouts of one device.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class DeviceRolloutRepository implements GenericRepository<RolloutRow, String> {
  /// The open ones in which a device may still be touched, by name: those to notify when its windows, its hold or its
  /// labels have changed.
  public List<RolloutId> findOpenWithWaitingDevice(String tenant, String device) {
    return listOpenWithWaitingDevice(tenant, device).stream().map(name -> new RolloutId(tenant, name)).toList();
  }

  /// The rollouts of a package that have or had a device among their targets, newest first.
  @Query(
      """
      SELECT r.* FROM rollout_target t JOIN rollout r ON r.tenant = t.tenant AND r.id = t.rollout
      WHERE t.tenant = :tenant AND t.device = :device AND r.package = :packageName
      ORDER BY r.created_at DESC, r.id DESC LIMIT :limit\
      """)
  public abstract List<RolloutRow> listOfDevice(String tenant, String device, String packageName, int limit);

  /// The packages of the open rollouts that have a device among their targets.
  @Query(
      """
      SELECT DISTINCT r.package FROM rollout_target t JOIN rollout r ON r.tenant = t.tenant AND r.id = t.rollout
      WHERE t.tenant = :tenant AND t.device = :device AND r.state <> 'ended'\
      """)
  public abstract List<String> listOpenPackages(String tenant, String device);

  @Query(
      """
      SELECT r.id FROM rollout_target t
      JOIN rollout r ON r.tenant = t.tenant AND r.id = t.rollout
      WHERE t.tenant = :tenant AND t.device = :device
        AND (t.state = 'pending' OR t.prepare_ahead) AND r.state NOT IN ('draft', 'ended')
      ORDER BY r.id\
      """)
  abstract List<String> listOpenWithWaitingDevice(String tenant, String device);
}
