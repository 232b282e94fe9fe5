package dev.uplift.store.command;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.store.Database;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.RowReader;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.SqlStatement;

/// The table `heartbeat_wait`: at most one row per host, for a device has one upgrade at a time.
public final class HeartbeatWaitRepository {
  private static final RowMapper<HeartbeatWait> ROW =
      RowReader.mapper(row ->
          new HeartbeatWait(
              row.text("tenant"),
              new HostId(row.text("host")),
              row.enumValue("step", Step.class),
              new Release(row.text("package"), row.text("version")),
              row.text("previous_boot_id"),
              row.text("previous_instance"),
              row.text("outgoing_instance"),
              new WaitingActivity(row.text("workflow_id"), row.text("activity_id"))));

  private static final String SAME_WAIT =
      """
      step = :step AND package = :package AND version = :version AND previous_boot_id = :boot
      AND previous_instance = :instance AND outgoing_instance = :makesWay
      AND workflow_id = :workflow AND activity_id = :activity\
      """;

  private final Database database;
  private final InstantSource clock;

  public HeartbeatWaitRepository(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// From now on this is waited for. Replaces what was waited for on this host.
  ///
  /// @throws NoSuchTenant if there is none for it
  public void put(HeartbeatWait heartbeatWait) {
    database.withHandle(handle -> {
      bindWait(
              handle.createUpdate(
                  """
                  INSERT INTO heartbeat_wait (tenant, host, step, package, version, previous_boot_id,
                    previous_instance, outgoing_instance, workflow_id, activity_id, waiting_since)
                  VALUES (:tenant, :host, :step, :package, :version, :boot, :instance, :makesWay,
                    :workflow, :activity, :now)
                  ON CONFLICT DO NOTHING\
                  """),
              heartbeatWait)
          .bind("now", clock.instant())
          .execute();
      // Changes nothing where the row was new; `since` stays while the same is waited for.
      return bindWait(
              handle.createUpdate(
                  """
                  UPDATE heartbeat_wait SET step = :step, package = :package, version = :version,
                    previous_boot_id = :boot, previous_instance = :instance, outgoing_instance = :makesWay,
                    workflow_id = :workflow, activity_id = :activity, waiting_since = :now
                  WHERE tenant = :tenant AND host = :host
                  AND NOT (\
                  """
                      + SAME_WAIT
                      + ")"),
              heartbeatWait)
          .bind("now", clock.instant())
          .execute();
    });
  }

  public Optional<HeartbeatWait> find(String tenant, HostId host) {
    return database.withHandle(handle ->
        handle
            .createQuery("SELECT * FROM heartbeat_wait WHERE tenant = :tenant AND host = :host")
            .bind("tenant", tenant)
            .bind("host", host.value())
            .map(ROW)
            .findOne());
  }

  /// Of all tenants. There are no more than hosts that are waited for, so who sees every beat asks
  /// this now and then rather than [#find] at each.
  public List<HeartbeatWait> findAll() {
    return database.withHandle(handle -> handle.createQuery("SELECT * FROM heartbeat_wait").map(ROW).list());
  }

  /// Nothing happens if another has taken its place.
  public void remove(HeartbeatWait heartbeatWait) {
    database.withHandle(handle ->
        bindWait(
                handle.createUpdate(
                    """
                    DELETE FROM heartbeat_wait WHERE tenant = :tenant AND host = :host
                    AND \
                    """
                        + SAME_WAIT),
                heartbeatWait)
            .execute());
  }

  private static <S extends SqlStatement<S>> S bindWait(S statement, HeartbeatWait heartbeatWait) {
    return statement
        .bind("tenant", heartbeatWait.tenant())
        .bind("host", heartbeatWait.host().value())
        .bind("step", EnumCodec.encode(heartbeatWait.step()))
        .bind("package", heartbeatWait.release().packageName())
        .bind("version", heartbeatWait.release().version())
        .bind("boot", heartbeatWait.previousBootId())
        .bind("instance", heartbeatWait.previousInstance())
        .bind("makesWay", heartbeatWait.outgoingInstance())
        .bind("workflow", heartbeatWait.waiter().workflowId())
        .bind("activity", heartbeatWait.waiter().activityId());
  }
}
