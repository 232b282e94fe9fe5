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

/// The table `expectation`: at most one row per host, for a device has one upgrade at a time.
public final class HeartbeatWaitRepository {
  private static final RowMapper<HeartbeatWait> ROW =
      RowReader.mapper(row ->
          new HeartbeatWait(
              row.text("tenant"),
              new HostId(row.text("host")),
              row.enumValue("step", Step.class),
              new Release(row.text("package"), row.text("version")),
              row.text("boot_before"),
              row.text("instance"),
              row.text("makes_way"),
              new WaitingActivity(row.text("waiter_workflow"), row.text("waiter_activity"))));

  private static final String SAME_WAIT =
      """
      step = :step AND package = :package AND version = :version AND boot_before = :boot
      AND instance = :instance AND makes_way = :makesWay
      AND waiter_workflow = :workflow AND waiter_activity = :activity\
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
                  INSERT INTO expectation (tenant, host, step, package, version, boot_before,
                    instance, makes_way, waiter_workflow, waiter_activity, since)
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
                  UPDATE expectation SET step = :step, package = :package, version = :version,
                    boot_before = :boot, instance = :instance, makes_way = :makesWay,
                    waiter_workflow = :workflow, waiter_activity = :activity, since = :now
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
            .createQuery("SELECT * FROM expectation WHERE tenant = :tenant AND host = :host")
            .bind("tenant", tenant)
            .bind("host", host.value())
            .map(ROW)
            .findOne());
  }

  /// Of all tenants. There are no more than hosts that are waited for, so who sees every beat asks
  /// this now and then rather than [#find] at each.
  public List<HeartbeatWait> findAll() {
    return database.withHandle(handle -> handle.createQuery("SELECT * FROM expectation").map(ROW).list());
  }

  /// Nothing happens if another has taken its place.
  public void remove(HeartbeatWait heartbeatWait) {
    database.withHandle(handle ->
        bindWait(
                handle.createUpdate(
                    """
                    DELETE FROM expectation WHERE tenant = :tenant AND host = :host
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
