package dev.uplift.store;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.SqlStatement;

/// The table `expectation`: at most one row per host, for a device has one upgrade at a time.
public final class Expectations {
  private static final RowMapper<Expectation> ROW =
      Columns.as(row ->
          new Expectation(
              row.text("tenant"),
              new HostId(row.text("host")),
              row.word("step", Step.class),
              new Release(row.text("package"), row.text("version")),
              row.text("boot_before"),
              row.text("instance"),
              row.text("makes_way"),
              new Waiter(row.text("waiter_workflow"), row.text("waiter_activity"))));

  private static final String SAME =
      """
      step = :step AND package = :package AND version = :version AND boot_before = :boot
      AND instance = :instance AND makes_way = :makesWay
      AND waiter_workflow = :workflow AND waiter_activity = :activity\
      """;

  private final Database database;
  private final InstantSource clock;

  public Expectations(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// From now on this is waited for. Replaces what was waited for on this host.
  ///
  /// @throws NoSuchTenant if there is none for it
  public void put(Expectation expectation) {
    database.run(handle -> {
      bound(
              handle.createUpdate(
                  """
                  INSERT INTO expectation (tenant, host, step, package, version, boot_before,
                    instance, makes_way, waiter_workflow, waiter_activity, since)
                  VALUES (:tenant, :host, :step, :package, :version, :boot, :instance, :makesWay,
                    :workflow, :activity, :now)
                  ON CONFLICT DO NOTHING\
                  """),
              expectation)
          .bind("now", clock.instant())
          .execute();
      // Changes nothing where the row was new; `since` stays while the same is waited for.
      return bound(
              handle.createUpdate(
                  """
                  UPDATE expectation SET step = :step, package = :package, version = :version,
                    boot_before = :boot, instance = :instance, makes_way = :makesWay,
                    waiter_workflow = :workflow, waiter_activity = :activity, since = :now
                  WHERE tenant = :tenant AND host = :host
                  AND NOT (\
                  """
                      + SAME
                      + ")"),
              expectation)
          .bind("now", clock.instant())
          .execute();
    });
  }

  public Optional<Expectation> find(String tenant, HostId host) {
    return database.run(handle ->
        handle
            .createQuery("SELECT * FROM expectation WHERE tenant = :tenant AND host = :host")
            .bind("tenant", tenant)
            .bind("host", host.value())
            .map(ROW)
            .findOne());
  }

  /// Of all tenants. There are no more than hosts that are waited for, so who sees every beat asks
  /// this now and then rather than [#find] at each.
  public List<Expectation> all() {
    return database.run(handle -> handle.createQuery("SELECT * FROM expectation").map(ROW).list());
  }

  /// Nothing happens if another has taken its place.
  public void remove(Expectation expectation) {
    database.run(handle ->
        bound(
                handle.createUpdate(
                    """
                    DELETE FROM expectation WHERE tenant = :tenant AND host = :host
                    AND \
                    """
                        + SAME),
                expectation)
            .execute());
  }

  private static <S extends SqlStatement<S>> S bound(S statement, Expectation expectation) {
    return statement
        .bind("tenant", expectation.tenant())
        .bind("host", expectation.host().value())
        .bind("step", Words.write(expectation.step()))
        .bind("package", expectation.wanted().packageName())
        .bind("version", expectation.wanted().version())
        .bind("boot", expectation.bootBefore())
        .bind("instance", expectation.instance())
        .bind("makesWay", expectation.makesWay())
        .bind("workflow", expectation.waiter().workflowId())
        .bind("activity", expectation.waiter().activityId());
  }
}
