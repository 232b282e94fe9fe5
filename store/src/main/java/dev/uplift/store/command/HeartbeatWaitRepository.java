package dev.uplift.store.command;

import dev.uplift.fleet.HostId;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The table `heartbeat_wait`: at most one row per host, because a device has one upgrade at a time.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class HeartbeatWaitRepository implements GenericRepository<HeartbeatWaitEntity, String> {
  private static final String KEY = " WHERE tenant = :tenant AND host = :host";

  private static final String SAME_WAIT =
      """
      (step = :step AND package = :packageName AND version = :version
      AND previous_boot_id = :previousBootId AND previous_instance = :previousInstance
      AND outgoing_instance = :outgoingInstance
      AND workflow_id = :workflowId AND activity_id = :activityId)\
      """;

  private final StoreClock clock;

  protected HeartbeatWaitRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// Waits for this from now on. Replaces what was waited for on this host; the time of the wait stays while it is the
  /// same.
  ///
  /// @throws NoSuchTenant if the tenant does not exist
  public void put(HeartbeatWait wait) {
    var row = HeartbeatWaitEntity.of(wait, clock.now());
    insertIfAbsent(row);
    // Changes nothing where the row was new.
    replace(row);
  }

  public Optional<HeartbeatWait> find(String tenant, HostId host) {
    return findByTenantAndHost(tenant, host.value()).map(HeartbeatWaitEntity::toWait);
  }

  /// Of all tenants. There are no more than hosts that are waited for, so a consumer of all heartbeats calls this now
  /// and then rather than [#find] for each.
  public List<HeartbeatWait> findAll() {
    return listAll().stream().map(HeartbeatWaitEntity::toWait).toList();
  }

  /// Those of all tenants that were put within this time. Clocks of servers differ, and a transaction takes its time,
  /// so the time should be longer than that between two calls.
  public List<HeartbeatWait> findRecent(Duration age) {
    return listSince(clock.now().minus(age)).stream().map(HeartbeatWaitEntity::toWait).toList();
  }

  /// Removes the waits of a workflow that ends.
  public void removeOf(String tenant, List<HostId> hosts, String workflowId) {
    if (!hosts.isEmpty()) {
      deleteOf(tenant, hosts.stream().map(HostId::value).toList(), workflowId);
    }
  }

  /// Removes the wait. Nothing happens if another has taken its place.
  public void remove(HeartbeatWait wait) {
    deleteSame(HeartbeatWaitEntity.of(wait, clock.now()));
  }

  @Query(
      """
      INSERT INTO heartbeat_wait (tenant, host, step, package, version, previous_boot_id,
        previous_instance, outgoing_instance, workflow_id, activity_id, waiting_since)
      VALUES (:tenant, :host, :step, :packageName, :version, :previousBootId, :previousInstance,
        :outgoingInstance, :workflowId, :activityId, :waitingSince)
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(HeartbeatWaitEntity wait);

  @Query(
      """
      UPDATE heartbeat_wait SET step = :step, package = :packageName, version = :version,
        previous_boot_id = :previousBootId, previous_instance = :previousInstance,
        outgoing_instance = :outgoingInstance, workflow_id = :workflowId,
        activity_id = :activityId, waiting_since = :waitingSince\
      """
          + KEY
          + " AND NOT "
          + SAME_WAIT)
  abstract int replace(HeartbeatWaitEntity wait);

  abstract Optional<HeartbeatWaitEntity> findByTenantAndHost(String tenant, String host);

  @Query("SELECT * FROM heartbeat_wait")
  abstract List<HeartbeatWaitEntity> listAll();

  @Query("SELECT * FROM heartbeat_wait WHERE waiting_since >= :since")
  abstract List<HeartbeatWaitEntity> listSince(Instant since);

  @Query("DELETE FROM heartbeat_wait WHERE tenant = :tenant AND host IN (:hosts) AND workflow_id = :workflowId")
  abstract int deleteOf(String tenant, List<String> hosts, String workflowId);

  @Query("DELETE FROM heartbeat_wait" + KEY + " AND " + SAME_WAIT)
  abstract int deleteSame(HeartbeatWaitEntity wait);
}
