package dev.uplift.store;

import dev.uplift.fleet.RolloutId;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;

/// The table `rollout_wave`. A wave begins by [Rollouts#enter].
public final class RolloutWaves {
  private static final RowMapper<WaveRow> ROW = Columns.as(RolloutWaves::read);

  private final Database database;
  private final InstantSource clock;

  public RolloutWaves(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// By number.
  public List<WaveRow> list(RolloutId id) {
    return database.run(handle ->
        RolloutTable.bind(
                handle.createQuery(
                    """
                    SELECT * FROM rollout_wave WHERE tenant = :tenant AND rollout = :rollout
                    ORDER BY tenant, rollout, number\
                    """),
                id)
            .map(ROW)
            .list());
  }

  public Optional<WaveRow> find(RolloutId id, int number) {
    return database.run(handle ->
        RolloutTable.bind(
                handle.createQuery(
                    """
                    SELECT * FROM rollout_wave
                    WHERE tenant = :tenant AND rollout = :rollout AND number = :number\
                    """),
                id)
            .bind("number", number)
            .map(ROW)
            .findOne());
  }

  /// Somebody said that the wave may begin. The first one who did stays.
  public void approve(RolloutId id, int number, String by, String remark) {
    database.run(handle ->
        RolloutTable.bind(
                handle.createUpdate(
                    """
                    UPDATE rollout_wave
                    SET approved_by = :by, approved_at = :now, remark = :remark
                    WHERE tenant = :tenant AND rollout = :rollout AND number = :number
                      AND approved_by IS NULL\
                    """),
                id)
            .bind("number", number)
            .bind("by", by)
            .bind("remark", remark)
            .bind("now", clock.instant())
            .execute());
  }

  /// Somebody said that the wave is done. The first one who did stays.
  public void markDone(RolloutId id, int number, String by) {
    database.run(handle ->
        RolloutTable.bind(
                handle.createUpdate(
                    """
                    UPDATE rollout_wave SET done_by = :by, done_at = COALESCE(done_at, :now)
                    WHERE tenant = :tenant AND rollout = :rollout AND number = :number
                      AND done_by IS NULL\
                    """),
                id)
            .bind("number", number)
            .bind("by", by)
            .bind("now", clock.instant())
            .execute());
  }

  void enter(Handle handle, RolloutId id, int number) {
    RolloutTable.bind(
            handle.createUpdate(
                """
                UPDATE rollout_wave SET done_at = :now
                WHERE tenant = :tenant AND rollout = :rollout AND number < :number
                  AND done_at IS NULL\
                """),
            id)
        .bind("number", number)
        .bind("now", clock.instant())
        .execute();
    RolloutTable.bind(
            handle.createUpdate(
                """
                UPDATE rollout_wave SET began_at = :now
                WHERE tenant = :tenant AND rollout = :rollout AND number = :number
                  AND began_at IS NULL\
                """),
            id)
        .bind("number", number)
        .bind("now", clock.instant())
        .execute();
  }

  private static WaveRow read(Columns row) throws SQLException {
    return new WaveRow(
        row.count("number"),
        row.count("place"),
        row.text("title"),
        row.count("size"),
        row.maybeText("approved_by").isEmpty()
            ? Optional.empty()
            : Optional.of(
                new WaveRow.Approval(
                    row.text("approved_by"), row.time("approved_at"), row.text("remark"))),
        row.maybeTime("began_at"),
        row.maybeTime("last_ended_at"),
        row.maybeTime("done_at"),
        row.maybeText("done_by"));
  }
}
